/** Connections that one listener takes. */
export const CONNECTIONS_MAX = 1_024;

/**
 * Connections of one address to one listener by default: three quarters of all, so that nobody alone keeps
 * all others out. A load generator with 512 connections works beside other clients of its machine.
 */
export const CONNECTIONS_PER_ADDRESS_DEFAULT = 768;
