// Runs Stan's own ADVI on small densities and prints what it drew and what it found, as JSON:
// the reference for `test_advi.py`, made by `make_advi_reference.py`.

#include <cmath>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>
#include <stan/callbacks/stream_logger.hpp>
#include <stan/callbacks/stream_writer.hpp>
#include <stan/math.hpp>
#include <stan/model/gradient.hpp>
#include <stan/services/util/create_rng.hpp>
#include <stan/variational/advi.hpp>
#include <type_traits>

// log p(z) = constant - sum_i precision_i (z_i - mean_i)^2 / 2, outside its support where z_0 > edge.
struct Density {
  Eigen::VectorXd mean, precision;
  double edge, constant;
  mutable std::ostringstream draws;
  mutable bool first = true;

  size_t num_params_r() const { return mean.size(); }

  template <bool propto, bool jacobian, typename T>
  T log_prob(Eigen::Matrix<T, Eigen::Dynamic, 1> &z, std::ostream *) const {
    draws << (first ? "" : ",") << "[" << (std::is_same<T, double>::value ? 0 : 1);
    first = false;
    for (int i = 0; i < z.size(); ++i) draws << "," << stan::math::value_of(z(i));
    draws << "]";
    if (stan::math::value_of(z(0)) > edge) throw std::domain_error("outside");
    T sum = constant;
    for (int i = 0; i < z.size(); ++i) sum -= 0.5 * precision(i) * (z(i) - mean(i)) * (z(i) - mean(i));
    return sum;
  }

  template <typename Rng>
  void write_array(Rng &, std::vector<double> &z, std::vector<int> &, std::vector<double> &out,
                   bool, bool, std::ostream *) const {
    out = z;
  }
};

struct Case {
  double edge, constant, tol_rel_obj;
  int gradient_draws, elbo_draws, eval_elbo, adapt_iterations, max_iterations;
  unsigned seed;
};

void run(const Case &c, bool last) {
  Density density;
  density.draws.precision(17);
  density.mean = Eigen::Vector2d(0.5, -3.0);
  density.precision = Eigen::Vector2d(1.0, 25.0);
  density.edge = c.edge;
  density.constant = c.constant;
  Eigen::VectorXd start = Eigen::Vector2d(-1.0, 1.0);
  auto rng = stan::services::util::create_rng(c.seed, 1);
  std::ostringstream log, parameters, diagnostics;
  parameters.precision(17);
  diagnostics.precision(17);
  stan::callbacks::stream_logger logger(log, log, log, log, log);
  stan::callbacks::stream_writer parameter_writer(parameters), diagnostic_writer(diagnostics);
  stan::variational::advi<Density, stan::variational::normal_meanfield, stan::rng_t> advi(
      density, start, rng, c.gradient_draws, c.elbo_draws, c.eval_elbo, 1);
  std::string failure;
  try {
    advi.run(1.0, true, c.adapt_iterations, c.tol_rel_obj, c.max_iterations, logger,
             parameter_writer, diagnostic_writer);
  } catch (const std::exception &error) {
    failure = error.what();
  }
  auto quoted = [](std::string text) {
    std::string out = "\"";
    for (char c : text) out += c == '\n' ? std::string("\\n") : c == '"' ? "'" : std::string(1, c);
    return out + "\"";
  };
  std::cout.precision(17);
  std::cout << "{\"edge\": " << c.edge << ", \"constant\": " << c.constant
            << ", \"config\": {\"gradient_draws\": " << c.gradient_draws
            << ", \"elbo_draws\": " << c.elbo_draws << ", \"eval_elbo\": " << c.eval_elbo
            << ", \"adapt_iterations\": " << c.adapt_iterations
            << ", \"max_iterations\": " << c.max_iterations
            << ", \"tol_rel_obj\": " << c.tol_rel_obj << "},\n \"failure\": " << quoted(failure)
            << ",\n \"parameters\": " << quoted(parameters.str())
            << ",\n \"diagnostics\": " << quoted(diagnostics.str()) << ",\n \"log\": "
            << quoted(log.str()) << ",\n \"draws\": [" << density.draws.str() << "]}"
            << (last ? "\n" : ",\n");
}

int main() {
  const double far = 1e300;
  const std::vector<Case> cases = {
      {far, -10.0, 0.05, 2, 5, 4, 6, 80, 1},    // ends by its rule
      {far, -10.0, 0.0001, 1, 5, 4, 6, 30, 2},  // ends by its limit
      {1.5, -10.0, 0.05, 3, 6, 5, 6, 60, 3},    // loses draws
      {-1.2, -10.0, 0.05, 1, 8, 4, 3, 40, 4},   // loses nearly all
      {far, -3000.0, 0.5, 1, 5, 3, 8, 40, 5},   // ends at once
      {far, -10.0, 0.05, 2, 5, 4, 1, 60, 6},    // trials too short to tell
      {0.0, -10.0, 0.02, 2, 3, 3, 4, 60, 7},    // ELBO or gradient fails on the way
  };
  std::cout << "[";
  for (size_t i = 0; i < cases.size(); ++i) run(cases[i], i + 1 == cases.size());
  std::cout << "]\n";
}
