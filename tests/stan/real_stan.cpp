// A C interface to one model compiled by real Stan, for `real_stan.py`: the shared part, compiled
// once and linked to each model. Every function returns 0, or 1 with a message in `error`.

#include <cstring>
#include <memory>
#include <sstream>
#include <stan/io/json/json_data.hpp>
#include <stan/model/log_prob_grad.hpp>
#include <stan/model/model_base.hpp>
#include <stan/services/util/create_rng.hpp>
#include <string>
#include <vector>

stan::model::model_base &new_model(stan::io::var_context &data, unsigned int seed,
                                   std::ostream *messages);

namespace {

constexpr size_t error_size = 2000;

template <typename Body>
int guarded(char *error, Body body) {
  // Stan's tape belongs to a thread, and callers have threads of their own.
  static thread_local stan::math::ChainableStack tape;
  try {
    body();
    return 0;
  } catch (const std::exception &failure) {
    std::strncpy(error, failure.what(), error_size - 1);
    error[error_size - 1] = '\0';
    stan::math::recover_memory();
    return 1;
  }
}

std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const auto &name : names) text += name + "\n";
  return text;
}

Eigen::VectorXd vector_of(const double *values, size_t size) {
  return Eigen::Map<const Eigen::VectorXd>(values, size);
}

template <bool propto, bool jacobian>
double gradient_into(stan::model::model_base &model, Eigen::VectorXd &theta, double *gradient,
                     std::ostream *messages) {
  Eigen::VectorXd result(theta.size());
  double value
      = stan::model::log_prob_grad<propto, jacobian>(model, theta, result, messages);
  std::memcpy(gradient, result.data(), sizeof(double) * result.size());
  return value;
}

}  // namespace

extern "C" {

int stan_new(const char *data, void **model, char *error) {
  return guarded(error, [&] {
    std::istringstream text(data);
    stan::json::json_data context(text);
    std::ostringstream messages;
    *model = &new_model(context, 1, &messages);
  });
}

void stan_delete(void *model) { delete static_cast<stan::model::model_base *>(model); }

int stan_dim(void *model) {
  return static_cast<int>(static_cast<stan::model::model_base *>(model)->num_params_r());
}

// The names, one a line; the caller gives a buffer, and learns the size needed.
size_t stan_names(void *model, int constrained, int with_tp, int with_gq, char *buffer,
                  size_t size) {
  std::vector<std::string> names;
  auto *self = static_cast<stan::model::model_base *>(model);
  if (constrained)
    self->constrained_param_names(names, with_tp, with_gq);
  else
    self->unconstrained_param_names(names, with_tp, with_gq);
  const std::string text = joined(names);
  if (text.size() < size) std::memcpy(buffer, text.c_str(), text.size() + 1);
  return text.size() + 1;
}

int stan_gradient(void *model, const double *theta, int propto, int jacobian, double *value,
                  double *gradient, char *error) {
  return guarded(error, [&] {
    auto &self = *static_cast<stan::model::model_base *>(model);
    Eigen::VectorXd point = vector_of(theta, self.num_params_r());
    std::ostringstream messages;
    if (propto)
      *value = jacobian ? gradient_into<true, true>(self, point, gradient, &messages)
                        : gradient_into<true, false>(self, point, gradient, &messages);
    else
      *value = jacobian ? gradient_into<false, true>(self, point, gradient, &messages)
                        : gradient_into<false, false>(self, point, gradient, &messages);
  });
}

int stan_constrain(void *model, const double *theta, int with_tp, int with_gq, double *result,
                   char *error) {
  return guarded(error, [&] {
    auto &self = *static_cast<stan::model::model_base *>(model);
    Eigen::VectorXd point = vector_of(theta, self.num_params_r());
    auto rng = stan::services::util::create_rng(1, 0);
    Eigen::VectorXd values;
    std::ostringstream messages;
    self.write_array(rng, point, values, with_tp, with_gq, &messages);
    std::memcpy(result, values.data(), sizeof(double) * values.size());
  });
}

int stan_unconstrain(void *model, const double *values, size_t size, double *theta,
                     char *error) {
  return guarded(error, [&] {
    auto &self = *static_cast<stan::model::model_base *>(model);
    Eigen::VectorXd result;
    std::ostringstream messages;
    self.unconstrain_array(vector_of(values, size), result, &messages);
    std::memcpy(theta, result.data(), sizeof(double) * result.size());
  });
}
}
