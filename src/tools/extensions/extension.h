/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program asks of an extension library: a backend's own file, turned into options of the C API. The
 * interface is openqnn's own, because no public source tells the vendor's. Plain C, so that a library made by
 * another compiler will do.
 *
 * A library exports one function, OpenQnnExtension_getInterface. A program calls `open` once per run, passes
 * the lists on to the C API where it makes the objects, and calls `close` when these are gone. Calls for one
 * handle must not overlap.
 */
#ifndef OPENQNN_TOOLS_EXTENSIONS_EXTENSION_H_
#define OPENQNN_TOOLS_EXTENSIONS_EXTENSION_H_

#include <stdint.h>

#include "QnnInterface.h"

/* NOLINTBEGIN(modernize-use-using): plain C */

#ifdef __cplusplus
extern "C" {
#endif

/* Counts up when the meaning or the order of a field changes. */
#define OPENQNN_EXTENSION_VERSION 2
#define OPENQNN_EXTENSION_ENTRY "OpenQnnExtension_getInterface"

typedef struct OpenQnnExtension* OpenQnnExtension_Handle_t;

/* What the run does with graphs; options that act elsewhere are left out. */
typedef enum {
  OPENQNN_EXTENSION_STAGE_OFFLINE = 0, /* they are prepared for a binary */
  OPENQNN_EXTENSION_STAGE_ONLINE = 1,  /* they are prepared and executed */
  OPENQNN_EXTENSION_STAGE_LOAD = 2,    /* they come from a finished binary */
} OpenQnnExtension_Stage_t;

typedef struct {
  const char* configFile; /* the backend's own file; null: all is as the backend has it */
  const char* tool;       /* "qnn-net-run" */
  OpenQnnExtension_Stage_t stage;
  const char* perfProfile; /* a profile that wins over the file's; null: none */
  /* Gets every warning and error as one line. May be null. */
  void (*tell)(void* listener, QnnLog_Level_t level, const char* line);
  void* listener;
} OpenQnnExtension_Request_t;

/* All lists end with null and live until `close`. */
typedef struct {
  uint32_t version;        /* OPENQNN_EXTENSION_VERSION */
  uint32_t backendId;      /* of the backend that the options are for, as its providers have it */
  const char* backendName; /* "HTP" */

  /* Reads and checks the file. Null when it cannot be used: `tell` has got the reasons, as errors. */
  OpenQnnExtension_Handle_t (*open)(const OpenQnnExtension_Request_t* request);
  void (*close)(OpenQnnExtension_Handle_t handle);

  const QnnBackend_Config_t** (*backendConfigs)(OpenQnnExtension_Handle_t handle);
  const QnnDevice_Config_t** (*deviceConfigs)(OpenQnnExtension_Handle_t handle);
  const QnnContext_Config_t** (*contextConfigs)(OpenQnnExtension_Handle_t handle);

  /* The graphs that the file names, and what it says of one; an empty list when it says nothing. */
  const char* const* (*graphNames)(OpenQnnExtension_Handle_t handle);
  const QnnGraph_Config_t** (*graphConfigs)(OpenQnnExtension_Handle_t handle, const char* graph);

  /* The level of --profiling_level backend; 0 when the file names none. */
  uint32_t (*profileLevel)(OpenQnnExtension_Handle_t handle);
  /* Not 0: inputs and outputs shall lie in memory that is shared with the device. */
  uint32_t (*sharedBuffers)(OpenQnnExtension_Handle_t handle);

  /*
   * Power: a program casts the votes on the device that exists before each stage (init, inference, de-init),
   * lowers them after it, and takes them back in the end; `close` takes them back, too. Each may be called
   * again. Where holdMicroseconds is not 0, they stay after an inference until so much time has passed
   * without another.
   */
  Qnn_ErrorHandle_t (*vote)(OpenQnnExtension_Handle_t handle, const QnnInterface_ImplementationV2_39_t* api);
  Qnn_ErrorHandle_t (*lowerVotes)(OpenQnnExtension_Handle_t handle,
                                  const QnnInterface_ImplementationV2_39_t* api);
  uint64_t (*holdMicroseconds)(OpenQnnExtension_Handle_t handle);
  void (*endVotes)(OpenQnnExtension_Handle_t handle);
} OpenQnnExtension_Interface_t;

/* Null when the library does not know this version. */
typedef const OpenQnnExtension_Interface_t* (*OpenQnnExtension_GetInterfaceFn_t)(uint32_t version);
__attribute__((visibility("default"))) const OpenQnnExtension_Interface_t* OpenQnnExtension_getInterface(
    uint32_t version);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* NOLINTEND(modernize-use-using) */

#endif /* OPENQNN_TOOLS_EXTENSIONS_EXTENSION_H_ */
