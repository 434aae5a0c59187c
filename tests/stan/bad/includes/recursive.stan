data {
#include itself.part
}
