import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';

/**
 * How the id of a shuttle can be in use: what there is of it, and the program that owns that account. With
 * either the program takes its fee and moves nothing.
 */
export const IN_USE = [
  ['the metadata exists', 'metadata', EPHEMERAL_TOKEN_PROGRAM],
  ['somebody has delegated the eATA (bug: it was drawn)', 'eata', DELEGATION_PROGRAM],
] as const;
