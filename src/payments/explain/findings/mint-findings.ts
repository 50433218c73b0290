import type { FindingCode } from '../finding-codes.ts';
import { TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import type { MintExtensions, TransferFeeConfig } from '../../../programs/token/mint-extensions.ts';
import type { Address } from '../../../solana/address.ts';
import type { Context } from '../context.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import { extensionsOf } from '../mint-in-play.ts';

/** What the mints of the calls allow others to do with their tokens. */
export function mintFindings(calls: readonly ExplainedCall[], { accounts, book }: Context): Finding[] {
  return [...mintsOf(calls)].flatMap(([mint, isToken2022]) => {
    const extensions = extensionsOf(accounts, mint);
    if (extensions === 'unread') return isToken2022 ? [unreadFinding(mint)] : [];
    if (extensions === null) return [];
    return extensionFindings(mint, extensions, (amount) => book.tokens(amount, mint));
  });
}

/** Every mint, and whether a call names Token-2022 as its program. */
function mintsOf(calls: readonly ExplainedCall[]): Map<Address, boolean> {
  const mints = new Map<Address, boolean>();
  for (const { call, reading, effects } of calls) {
    const isToken2022 =
      call.program === TOKEN_2022_PROGRAM || reading?.account('tokenProgram') === TOKEN_2022_PROGRAM;
    const moved = effects.flatMap((effect) => (effect.kind === 'tokens' ? [effect.mint] : []));
    for (const mint of [reading?.account('mint') ?? null, ...moved]) {
      if (mint !== null) mints.set(mint, isToken2022 || mints.get(mint) === true);
    }
  }
  return mints;
}

/** Only a note: nothing indicates an extension, and a ledger that could not be read is reported elsewhere. */
const unreadFinding = (mint: Address): Finding => ({
  level: 'note',
  code: 'MINT_UNREAD',
  message: `Whether mint ${mint} of Token-2022 takes a fee, or lets others move its tokens, could not be read.`,
});

function extensionFindings(
  mint: Address,
  extensions: MintExtensions,
  tokens: (amount: bigint) => string,
): Finding[] {
  const findings: Finding[] = [];
  const caution = (code: FindingCode, message: string) => findings.push({ level: 'caution', code, message });
  const { permanentDelegate, transferHook, transferFee, unknownTypes } = extensions;
  if (permanentDelegate !== null) {
    // Regulated stablecoins have one and their users know it, so it is not a danger in itself.
    caution(
      'PERMANENT_DELEGATE',
      `${permanentDelegate} is the permanent delegate of mint ${mint}: it can take every token of it out of every account at any time.`,
    );
  }
  if (transferHook !== null) {
    caution(
      'TRANSFER_HOOK',
      `Every transfer of mint ${mint} calls program ${transferHook}, which can refuse it.`,
    );
  }
  if (transferFee !== null && chargesAnything(transferFee)) {
    caution(
      'TRANSFER_FEE',
      `Every transfer of mint ${mint} is charged ${describeFee(transferFee, tokens)}: so much less arrives.`,
    );
  }
  findings.push(...notesOf(mint, extensions));
  if (unknownTypes.length > 0) {
    caution(
      'MINT_EXTENSION_UNKNOWN',
      `Mint ${mint} has extensions that are not known here (${unknownTypes.join(', ')}): what they do cannot be told.`,
    );
  }
  return findings;
}

/** What endangers nobody, but has a payment fail or look like another one. */
function notesOf(mint: Address, extensions: MintExtensions): Finding[] {
  const notes: Finding[] = [];
  const note = (code: FindingCode, message: string) => notes.push({ level: 'note', code, message });
  const { pausable, nonTransferable, interestBearing, scaledUiAmount } = extensions;
  if (pausable?.paused === true) {
    note(
      'MINT_PAUSED',
      `Mint ${mint} is paused: nothing of it moves until ${pausable.authority ?? 'nobody'} resumes it.`,
    );
  }
  if (nonTransferable) note('NON_TRANSFERABLE', `Tokens of mint ${mint} stay with whom they were minted to.`);
  if (interestBearing !== null || scaledUiAmount !== null) {
    const why = scaledUiAmount === null ? 'interest accrues in what is shown' : 'what is shown is multiplied';
    note('SHOWN_OTHERWISE', `Wallets may show other amounts of mint ${mint} than these: ${why}.`);
  }
  return notes;
}

const chargesAnything = ({ older, newer }: TransferFeeConfig): boolean =>
  [older, newer].some(({ basisPoints, maximumFee }) => basisPoints > 0 && maximumFee > 0n);

function describeFee({ older, newer }: TransferFeeConfig, tokens: (amount: bigint) => string): string {
  const describe = (fee: TransferFeeConfig['newer']): string =>
    `${fee.basisPoints / 100}% (${tokens(fee.maximumFee)} at most)`;
  const isSame = older.basisPoints === newer.basisPoints && older.maximumFee === newer.maximumFee;
  return isSame
    ? describe(newer)
    : `${describe(older)} before epoch ${newer.epoch} and ${describe(newer)} from then on`;
}
