/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What qnn-profile-viewer asks of a reader library: profile logs, turned into text and files. The interface
 * is openqnn's own, because no public source tells the vendor's. Plain C, so that a library made by another
 * compiler will do. A library exports one function, OpenQnnProfileReader_getInterface.
 */
#ifndef OPENQNN_TOOLS_PROFILE_VIEWER_READER_H_
#define OPENQNN_TOOLS_PROFILE_VIEWER_READER_H_

#include <stdint.h>

#include "QnnLog.h"

/* NOLINTBEGIN(modernize-use-using): plain C */

#ifdef __cplusplus
extern "C" {
#endif

/* Counts up when the meaning or the order of a field changes. */
#define OPENQNN_PROFILE_READER_VERSION 1
#define OPENQNN_PROFILE_READER_ENTRY "OpenQnnProfileReader_getInterface"

/* Paths and names are null where the option was not given. */
typedef struct {
  const char* const* logs; /* ends with null; at least one */
  const char* output;
  const char* schematic;
  const char* dlc;
  const char* config;
  const char* zoomStart;
  const char* zoomEnd;
  uint32_t gzip; /* not 0: files are compressed */

  /* Text for the user, in pieces; not 0 when it cannot be written. */
  int32_t (*print)(void* listener, const char* text, uint64_t length);
  /* One line: info for files that were written, warnings, and at a failure the error. */
  void (*tell)(void* listener, QnnLog_Level_t level, const char* line);
  void* listener;
} OpenQnnProfileReader_Request_t;

typedef struct {
  uint32_t version;        /* OPENQNN_PROFILE_READER_VERSION */
  const char* description; /* "every run as text" */
  /* The options that mean something to it, as "--output --gzip"; the viewer refuses others. */
  const char* options;
  /* 0, 1 when it failed, 2 when options do not fit. */
  int32_t (*read)(const OpenQnnProfileReader_Request_t* request);
} OpenQnnProfileReader_Interface_t;

/* Null when the library does not know this version. */
typedef const OpenQnnProfileReader_Interface_t* (*OpenQnnProfileReader_GetInterfaceFn_t)(uint32_t version);
__attribute__((visibility("default"))) const OpenQnnProfileReader_Interface_t*
OpenQnnProfileReader_getInterface(uint32_t version);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* NOLINTEND(modernize-use-using) */

#endif /* OPENQNN_TOOLS_PROFILE_VIEWER_READER_H_ */
