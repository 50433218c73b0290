import { EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import type { KnownProgram } from '../form.ts';
import { eataForms } from './ephemeral-token-eata.ts';
import { queueForms } from './ephemeral-token-queue.ts';
import { shuttleForms } from './ephemeral-token-shuttle.ts';
import { stealthForms } from './ephemeral-token-stealth.ts';

/**
 * The ephemeral SPL token program, layouts A (January 2026, bumps in the data) and B (since May 2026) side by side:
 * where one tag means both, the lengths of data and accounts tell them apart.
 */
export const ephemeralTokenProgram: KnownProgram = {
  address: EPHEMERAL_TOKEN_PROGRAM,
  name: 'ephemeral SPL token program',
  tagBytes: 1,
  forms: [...eataForms, ...shuttleForms, ...queueForms, ...stealthForms],
};
