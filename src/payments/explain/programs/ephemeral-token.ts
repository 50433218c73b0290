import { EPHEMERAL_TOKEN } from '../../../programs/ephemeral-token/table/program.ts';
import type { KnownProgram } from '../form.ts';
import { eataForms } from './ephemeral-token-eata.ts';
import { internalForms } from './ephemeral-token-internal.ts';
import { queueForms } from './ephemeral-token-queue.ts';
import { shuttleForms } from './ephemeral-token-shuttle.ts';
import { stealthForms } from './ephemeral-token-stealth.ts';

/** The ephemeral SPL token program, layouts A and B side by side. */
export const ephemeralTokenProgram: KnownProgram = {
  ...EPHEMERAL_TOKEN,
  forms: [...eataForms, ...shuttleForms, ...queueForms, ...stealthForms, ...internalForms],
};
