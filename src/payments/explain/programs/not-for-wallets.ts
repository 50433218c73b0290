import type { FormFinding } from '../finding.ts';

/** An account that only a program or a validator has signs it, or it counts only when a program calls it. */
export const notForWallets = (): FormFinding[] => [
  {
    level: 'note',
    code: 'NOT_FOR_WALLETS',
    message: 'Programs and validators have it run among themselves: from a wallet it fails or does nothing.',
  },
];
