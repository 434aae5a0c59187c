data {
  int N;
#include first.part
}
