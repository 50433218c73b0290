/**
 * The flag of the first byte of a versioned message (`solana-message` `MESSAGE_VERSION_PREFIX`); its other
 * bits are the version. A legacy message begins with its header instead, and never has it.
 */
export const VERSION_FLAG = 0x80;

/** The first byte of a message of version 1, and of its transaction (SIMD-0385). */
export const V1_PREFIX = VERSION_FLAG | 1;
