data {
#include
}
