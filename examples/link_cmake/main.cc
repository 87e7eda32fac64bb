#include <openqnn/version.h>

#include <cstdio>

int main() {
  std::printf("openqnn %s\n", openqnn::version());
  return 0;
}
