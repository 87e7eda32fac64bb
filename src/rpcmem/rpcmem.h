/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a client can share with a backend: allocated here, registered by its file descriptor. */
#ifndef OPENQNN_RPCMEM_RPCMEM_H_
#define OPENQNN_RPCMEM_RPCMEM_H_

#include <stddef.h>
#include <stdint.h>

/* The heap and flags that clients pass; on a host every heap and every flag is the same memory. */
#define RPCMEM_HEAP_ID_SYSTEM 25
#define RPCMEM_DEFAULT_FLAGS 1

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Some clients call these around their use of the library; they may also be left out. */
void rpcmem_init(void);
void rpcmem_deinit(void);

/* Page-aligned, zeroed memory; null when there is none, or when the size is not positive. */
void* rpcmem_alloc(int heap_id, uint32_t flags, int size);
void* rpcmem_alloc2(int heap_id, uint32_t flags, size_t size);

/* Gives an allocation back. Null and addresses that are no allocation are left alone. */
void rpcmem_free(void* address);

/* The descriptor of an allocation: owned by the library, open until rpcmem_free. -1 for any other address. */
int rpcmem_to_fd(void* address);

#pragma GCC visibility pop
#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* OPENQNN_RPCMEM_RPCMEM_H_ */
