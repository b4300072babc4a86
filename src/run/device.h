/* device.h -- the OpenCL devices of this machine, by name. */
#ifndef MN_RUN_DEVICE_H
#define MN_RUN_DEVICE_H

/* Fills at most `capacity` names ("platform: device") and returns how many devices there are; 0 without OpenCL. */
int mn_devices(char out[][128], int capacity);

#endif
