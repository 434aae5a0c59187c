data {
#include nowhere.stan
}
