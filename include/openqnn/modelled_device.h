/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libQnnHtp.so offers beside QNN's C API, because it is a model: plain C, to be looked up with dlsym. A
 * program that does not find these runs on another backend, and goes on without them.
 *
 * All mean the youngest part that was named and is alive (of a device, or of a context that was made without
 * one), else the youngest of those that were assumed. Power votes reach all parts.
 */
#ifndef OPENQNN_MODELLED_DEVICE_H_
#define OPENQNN_MODELLED_DEVICE_H_

#include <stdint.h>

/* NOLINTBEGIN(modernize-use-using, modernize-deprecated-headers): plain C */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lets the device's clock pass without anything happening: it may fall asleep, and units may be switched off.
 * The clock advances by modelled durations and by this alone, never by the host's.
 * Answers QNN_SUCCESS (0), QNN_DEVICE_ERROR_INVALID_HANDLE when there is no device, or
 * QNN_DEVICE_ERROR_INVALID_ARGUMENT for a null argument.
 */
typedef uint64_t (*QnnOpenqnn_DeclareIdleFn_t)(uint64_t nanoseconds);
__attribute__((visibility("default"))) uint64_t QnnOpenqnn_declareIdle(uint64_t nanoseconds);

/* The device's clock, in nanoseconds since the device was made. Answers as declareIdle does. */
typedef uint64_t (*QnnOpenqnn_GetDeviceTimeFn_t)(uint64_t* nanoseconds);
__attribute__((visibility("default"))) uint64_t QnnOpenqnn_getDeviceTime(uint64_t* nanoseconds);

/*
 * The power history: every vote, stage, profiled execute and idle time since the device was made, as the JSON
 * that `openqnn power` reads (docs/power.md). `bytes` is the room in `text`, and becomes what the history
 * takes, without a final zero; with a null `text`, or too little room, nothing is written.
 * Answers as declareIdle does.
 */
typedef uint64_t (*QnnOpenqnn_GetPowerHistoryFn_t)(char* text, uint64_t* bytes);
__attribute__((visibility("default"))) uint64_t QnnOpenqnn_getPowerHistory(char* text, uint64_t* bytes);

/*
 * Another client of the device, who interferes with every profiled execute from now on: he asks for the
 * device `after` nanoseconds after the execute does (0: he has it already), and keeps it for `holds`
 * nanoseconds, with `vtcmBytes` in use. A higher priority (Qnn_Priority_t) takes the device from a lower one,
 * which saves its VTCM and restores it later; equal ones wait. Several can be declared. Profiles show the
 * waiting and the yields. Answers as declareIdle does; QNN_DEVICE_ERROR_INVALID_ARGUMENT for a priority that
 * does not exist, or more VTCM than the part has.
 */
typedef uint64_t (*QnnOpenqnn_DeclareClientFn_t)(uint32_t priority, uint64_t after, uint64_t holds,
                                                 uint64_t vtcmBytes);
__attribute__((visibility("default"))) uint64_t QnnOpenqnn_declareClient(uint32_t priority, uint64_t after,
                                                                         uint64_t holds, uint64_t vtcmBytes);

/* Has the device to oneself again. Answers as declareIdle does. */
typedef uint64_t (*QnnOpenqnn_ForgetClientsFn_t)(void);
__attribute__((visibility("default"))) uint64_t QnnOpenqnn_forgetClients(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* NOLINTEND(modernize-use-using, modernize-deprecated-headers) */

#endif /* OPENQNN_MODELLED_DEVICE_H_ */
