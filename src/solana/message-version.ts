/**
 * The flag of the first byte of a versioned message (`solana-message` `MESSAGE_VERSION_PREFIX`); its other
 * bits are the version. A legacy message begins with its header instead, and never has it.
 */
export const VERSION_FLAG = 0x80;
