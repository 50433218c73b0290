import type { FormFinding } from '../finding.ts';

/** The rollup is asked to bring accounts to base, where anybody reads them. */
export const settlementRequested = (givesBack: boolean): FormFinding => ({
  level: 'caution',
  code: 'SETTLEMENT_REQUESTED',
  message: `It asks for accounts to be shown on the base ledger as they are${givesBack ? ', and to be given back' : ''}: what was private in them would be public.`,
});
