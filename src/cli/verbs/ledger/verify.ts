import { openKeptLedgers } from '../../../stack/kept/kept-ledgers.ts';
import type { MintStanding } from '../../../stack/kept/mint-standing.ts';
import { type LedgerFigures, verifyLedgers, type Verification } from '../../../stack/kept/verify-ledgers.ts';
import { formatBaseUnits } from '../../../payments/mints/common-mints.ts';
import { dataFolderOf } from './data-folder.ts';
import type { VerbExit } from '../exit-codes.ts';
import type { VerbCall } from '../verb-call.ts';

/** `ledger verify [FOLDER]`: reads all that a data folder keeps, and says what is wrong with it. */
export async function runVerify(call: VerbCall, place: string | undefined): Promise<VerbExit> {
  const kept = await openKeptLedgers(dataFolderOf(call, place));
  try {
    const found = verifyLedgers(kept);
    call.report({ folder: kept.folder, ...found }, linesOf(kept.folder, found));
    return found.isSound ? 'done' : 'refused';
  } finally {
    await kept.close();
  }
}

function linesOf(folder: string, { isSound, ledgers, mints, open, damage }: Verification): string[] {
  return [
    `${isSound ? 'sound' : 'NOT SOUND'}: ${folder}`,
    ...ledgers.map(lineOfLedger),
    ...(open === null ? [] : [`open: ${open.undelegations} undelegations, ${open.intents} intents`]),
    ...mints.map(lineOfMint),
    ...damage.map((each) => `damage: ${each}`),
  ];
}

function lineOfLedger(figures: LedgerFigures): string {
  const { ledger, genesisHash, slot, accounts, transactions, forgotten } = figures;
  const earlier = forgotten === 0 ? '' : ` (${forgotten} forgotten)`;
  return `${ledger}: genesis ${genesisHash}, slot ${slot}, ${accounts} accounts, ${transactions} transactions${earlier}`;
}

function lineOfMint({ mint, decimals, supply, held, vault }: MintStanding): string {
  const shown = (amount: bigint): string => formatBaseUnits(amount, decimals);
  const supplied = `mint ${mint}: supply ${shown(supply)}, held ${shown(held)}`;
  if (vault === null) return `${supplied}, no vault`;
  const { layout, amount, owed, fault } = vault;
  const against = owed === null ? `BUT ${fault}` : `owed ${shown(owed)}`;
  return `${supplied}, vault (layout ${layout}) ${shown(amount)}, ${against}`;
}
