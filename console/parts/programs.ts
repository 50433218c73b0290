/**
 * Addresses of programs, copied from `src/programs/addresses.ts`. One object keeps the bundle small, because
 * bundlers inline single constants wherever they are used.
 */
export const PROGRAMS = {
  system: '11111111111111111111111111111111',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  ephemeralToken: 'SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2',
  delegation: 'DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh',
  magic: 'Magic11111111111111111111111111111111111111',
} as const;
