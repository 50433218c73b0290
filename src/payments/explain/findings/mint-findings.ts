import type { Chain } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import type { AmountScale } from '../../../programs/token/amount-scale.ts';
import type { MintExtensions, TransferFeeConfig } from '../../../programs/token/mint-extensions.ts';
import { decodeMintScale, isTokenProgram } from '../../../programs/token/state.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { COMMON_MINTS } from '../../mints/common-mints.ts';
import { requireSaneMint } from '../../mints/mint-facts.ts';
import { untilResumed } from '../../mints/mint-terms.ts';
import type { Context } from '../call.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import { caution, danger, type Finding, note } from '../finding.ts';
import { type ChainFacts, extensionsOf, scaleOf } from '../state/chain-facts.ts';

/** Reports rights that the mints of the calls give to others. */
export function mintFindings(calls: readonly ExplainedCall[], { accounts, book }: Context): Finding[] {
  return [...mintsOf(calls)].flatMap(([mint, isToken2022]) => {
    const extensions = extensionsOf(accounts, mint);
    if (extensions === 'unread') return isToken2022 ? [unreadFinding(mint)] : [];
    if (extensions === null) return [];
    const ofExtensions = extensionFindings(mint, extensions, (amount) => book.tokens(amount, mint));
    return ofExtensions.concat(shownFindings(mint, extensions, scaleOf(accounts, mint)));
  });
}

/** Maximum ratio of displayed amounts to base units that causes no caution. */
const SHOWN_RATIO_MAX = 1.01;
/** Amount used to measure the display factor to ten digits, in base units. */
const PROBE = 10n ** 10n;

/** Warns if wallets display scaled amounts of a mint, because limits are in base units. */
function shownFindings(
  mint: Address,
  { interestBearing, scaledUiAmount }: MintExtensions,
  scale: AmountScale | null,
): Finding[] {
  if (interestBearing === null && scaledUiAmount === null) return [];
  const why =
    scaledUiAmount === null ? 'displayed amounts accrue interest' : 'displayed amounts are multiplied';
  const factors = scale === null ? [] : [Number(scale(PROBE, 0)) / Number(PROBE)];
  if (scaledUiAmount !== null) factors.push(scaledUiAmount.newMultiplier);
  const [now, later] = factors;
  const isNear = (factor: number): boolean => factor <= SHOWN_RATIO_MAX && factor >= 1 / SHOWN_RATIO_MAX;
  const times =
    scale === null || now === undefined
      ? `Wallets may show other amounts of mint ${mint} than these`
      : `Wallets show ${now} times the amounts of mint ${mint} in this explanation`;
  const from =
    scaledUiAmount === null || later === undefined || later === now
      ? ''
      : `, and ${later} times from Unix time ${scaledUiAmount.newMultiplierFrom} on`;
  const message = `${times}${from}: ${why}. Transfers and limits are in base units.`;
  return [(factors.every(isNear) ? note : caution)('SHOWN_OTHERWISE', message)];
}

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

/** Builds a note about a mint that was not read. It is not a caution: nothing indicates an extension. */
const unreadFinding = (mint: Address): Finding =>
  note(
    'MINT_UNREAD',
    `The extensions of Token-2022 mint ${mint}, such as fees or rights of others over its tokens, could not be read.`,
  );

function extensionFindings(
  mint: Address,
  extensions: MintExtensions,
  tokens: (amount: bigint) => string,
): Finding[] {
  const findings: Finding[] = [];
  const { permanentDelegate, transferHook, transferHookAuthority, transferFee, unknownTypes } = extensions;
  if (permanentDelegate !== null) {
    // Regulated stablecoins have a known permanent delegate, so it is not a danger in itself.
    const message = `${permanentDelegate} is the permanent delegate of mint ${mint}: it can take its tokens out of any account at any time.`;
    findings.push(caution('PERMANENT_DELEGATE', message));
  }
  if (transferHook !== null) {
    const message = `Every transfer of mint ${mint} calls program ${transferHook}, which can reject it.`;
    findings.push(caution('TRANSFER_HOOK', message));
  } else if (transferHookAuthority !== null) {
    const message = `${transferHookAuthority} can make every transfer of mint ${mint} call a program of its choice, which can reject it.`;
    findings.push(caution('TRANSFER_HOOK', message));
  }
  if (transferFee !== null && chargesAnything(transferFee)) {
    const message = `Every transfer of mint ${mint} is charged ${describeFee(transferFee, tokens)}, so less arrives.`;
    findings.push(caution('TRANSFER_FEE', message));
  }
  if (extensions.pausable?.paused === true) {
    const message = `Mint ${mint} is paused ${untilResumed(extensions.pausable)}: its tokens cannot move.`;
    findings.push(note('MINT_PAUSED', message));
  }
  if (extensions.nonTransferable) {
    findings.push(note('NON_TRANSFERABLE', `Tokens of mint ${mint} cannot be transferred.`));
  }
  if (unknownTypes.length > 0) {
    const message = `Mint ${mint} has unknown extensions (${unknownTypes.join(', ')}), and their effect is unknown.`;
    findings.push(caution('MINT_EXTENSION_UNKNOWN', message));
  }
  return findings;
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

/** Reports mints with impossible ledger data, which makes all their figures unreliable. */
export function impossibleMintFindings(facts: ChainFacts, chain: Chain): Finding[] {
  return [...facts.accounts].flatMap(([address, account]) => {
    if (account === null || !isMintAccount(address, account)) return [];
    try {
      requireSaneMint(chain, address, account);
      return [];
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return [danger('MINT_FACTS_WRONG', `${error.message}.`)];
    }
  });
}

const isMintAccount = (address: Address, { owner, data }: Account): boolean =>
  COMMON_MINTS.has(address) || (isTokenProgram(owner) && decodeMintScale(data) !== null);
