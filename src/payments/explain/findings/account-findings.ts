import { NATIVE_MINT, STAKE_PROGRAM, SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../../programs/addresses.ts';
import { deriveVault } from '../../../programs/ephemeral-token/pdas.ts';
import { type AccountRules, decodeAccountRules } from '../../../programs/token/account-rules.ts';
import {
  decodeMint,
  decodeTokenAccount,
  isTokenProgram,
  type TokenAccount,
} from '../../../programs/token/state.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { isOnCurve } from '../../../solana/pda.ts';
import { isKnownProgram } from '../../accounts/wallet.ts';
import { RENT_PDA } from '../../fees/costs.ts';
import { COMMON_MINT_ADDRESSES, describeLamports } from '../address-book.ts';
import {
  type CallAccount,
  type Context,
  type Effect,
  sumOf,
  type TokenEffect,
  totalEffects,
} from '../call.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import { caution, danger, type Finding, note, ofInstruction } from '../finding.ts';
import { CREATING } from '../reading.ts';

/**
 * Reports requested rights that no instruction uses, because their purpose is unknown. The first account
 * needs its rights to pay the fee. Accounts without rights are harmless.
 */
export function unusedFindings(accounts: readonly CallAccount[], calls: readonly ExplainedCall[]): Finding[] {
  const used = new Set(calls.flatMap(({ call }) => call.accounts));
  const programs = new Set(calls.map(({ call }) => call.program));
  return accounts.slice(1).flatMap((account) => {
    const { address, entry, signer, writable } = account;
    const isProgram = address !== null && entry === null && programs.has(address);
    if (used.has(account) || isProgram || !(signer || writable)) return [];
    const name = address ?? `entry ${entry?.index} of lookup table ${entry?.table}`;
    const right = signer ? 'must sign' : 'is writable';
    const message = `No instruction uses ${name}, which ${right}. The transaction does not show why.`;
    return [caution('UNUSED_ACCOUNT', message)];
  });
}

/** Reports a transaction without instructions, which still costs a fee and yields a signature. */
export const emptyFindings = (calls: readonly ExplainedCall[]): Finding[] =>
  calls.length > 0 ? [] : [caution('NO_INSTRUCTIONS', 'It has no instructions, and costs a fee.')];

/**
 * Reports accounts that are listed twice. Ledgers reject such transactions (Agave `AccountLoadedTwice`), and
 * no builder creates one.
 */
export function repeatFindings(accounts: readonly CallAccount[]): Finding[] {
  const addresses = accounts.flatMap(({ address }) => address ?? []);
  const repeated = new Set(addresses.filter((address, at) => addresses.indexOf(address) !== at));
  return [...repeated].map((address) =>
    danger(
      'ACCOUNT_REPEATED',
      `It names ${address} twice: every ledger rejects that, and no builder does it by mistake.`,
    ),
  );
}

/** Reports on the token accounts that pay and receive. */
export function tokenAccountFindings(calls: readonly ExplainedCall[], context: Context): Finding[] {
  return calls.flatMap(({ reading, effects }, index) =>
    effects.flatMap((effect) => {
      if (effect.kind !== 'tokens' || effect.location !== context.location) return [];
      const account = tokenAccountAt(context.accounts, effect.account);
      if (account === null) return [];
      return useFindings(effect, account, context).map((finding) =>
        ofInstruction(finding, index, reading?.action),
      );
    }),
  );
}

type UsedAccount = TokenAccount & Pick<AccountRules, 'takesConfidentialOnly'>;

function tokenAccountAt(accounts: Context['accounts'], address: Address | null): UsedAccount | null {
  const account = address === null ? null : accounts.get(address);
  if (!account || !isTokenProgram(account.owner)) return null;
  const decoded = decodeTokenAccount(account.data);
  return decoded && { ...decoded, ...decodeAccountRules(account.data) };
}

function useFindings(
  { account, change, mint }: TokenEffect,
  { owner, state, delegate, delegatedAmount, closeAuthority, takesConfidentialOnly }: UsedAccount,
  { book }: Context,
): Finding[] {
  const findings: Finding[] = [];
  if (change === null || change > 0n) {
    const paid = change === null ? 'An unknown amount is paid' : `${book.tokens(change, mint)} are paid`;
    const into = `${paid} into token account ${account} of ${owner}`;
    if (delegate !== null && delegate !== owner && delegatedAmount > 0n) {
      const message = `${into}, and ${delegate} can take up to ${book.tokens(delegatedAmount, mint)} out of it.`;
      findings.push(caution('TOKEN_ACCOUNT_DELEGATED', message));
    }
    if (closeAuthority !== null && closeAuthority !== owner) {
      const message = `${into}, and ${closeAuthority} can close it instead of its owner.`;
      findings.push(caution('TOKEN_ACCOUNT_CLOSE_AUTHORITY', message));
    }
    if (takesConfidentialOnly) {
      const message = `${into}, which accepts only confidential transfers.`;
      findings.push(note('TOKEN_ACCOUNT_CONFIDENTIAL_ONLY', message));
    }
  }
  if (state === 'frozen') {
    const message = `Token account ${account} of ${owner} is frozen: nothing enters or leaves it.`;
    findings.push(note('TOKEN_ACCOUNT_FROZEN', message));
  }
  return findings;
}

/** Programs whose accounts have an authority that can withdraw their lamports. */
const WITHDRAWABLE: ReadonlySet<Address> = new Set([SYSTEM_PROGRAM, STAKE_PROGRAM, VOTE_PROGRAM]);

/** Reports transfers of lamports to accounts that no key can withdraw from. Program fees are not reported. */
export function keylessFindings(calls: readonly ExplainedCall[], context: Context): Finding[] {
  const signs = isSigner(calls);
  return calls.flatMap(({ call, reading, effects }, instruction) => {
    const isPayment = call.program === SYSTEM_PROGRAM || isTokenProgram(call.program);
    if (!isPayment || reading === null || CREATING.has(reading.action)) return [];
    return effects.flatMap((effect) => {
      if (effect.kind !== 'lamports' || effect.change <= 0n) return [];
      const recipient = keylessRecipient(effect.address, context, signs);
      if (recipient === null) return [];
      const [level, what] = recipient;
      const message = `${describeLamports(effect.change)} go to ${effect.address}, ${what}.`;
      return ofInstruction(level('RECIPIENT_KEYLESS', message), instruction, reading.action);
    });
  });
}

const isSigner =
  (calls: readonly ExplainedCall[]) =>
  (wallet: Address): boolean =>
    calls.some(({ call }) => call.accounts.some(({ address, signer }) => signer && address === wallet));

type KeylessRecipient = readonly [level: typeof danger, what: string];

function keylessRecipient(
  address: Address,
  { accounts, book, mints }: Context,
  signs: (wallet: Address) => boolean,
): KeylessRecipient | null {
  if (address === RENT_PDA || signs(address)) return null;
  const holding = book.holding(address);
  if (holding?.mint === NATIVE_MINT) {
    return signs(holding.owner)
      ? null
      : [caution, `the wrapped SOL account of ${holding.owner}; only that owner receives them`];
  }
  const account = accounts.get(address);
  if (isKnownProgram(address) || account?.executable === true) return [danger, `a program${NO_KEY}`];
  const isMint = book.mint(address) !== undefined || (account && decodeMint(account.data) !== null);
  if (isMint === true) return [danger, `a mint${NO_KEY}`];
  // If only the address implies the holding, the account may be an eATA or another account of the wallet.
  if (holding !== undefined && (!account || isTokenProgram(account.owner))) {
    const what = `a token account of mint ${holding.mint}: they do not count as tokens there, and return only when its holder ${holding.owner} closes the account`;
    return [danger, what];
  }
  const hasKey = isOnCurve(addressBytes(address));
  if (account && !WITHDRAWABLE.has(account.owner)) {
    // These programs never return lamports that were sent to their accounts. Others, such as tip programs and
    // multisigs, can.
    return isKnownProgram(account.owner) && !hasKey
      ? [danger, `an account of program ${account.owner}${NO_KEY}`]
      : [caution, `an account of program ${account.owner}: only that program can return them`];
  }
  if (hasKey) return null;
  if ([...COMMON_MINT_ADDRESSES, ...mints].some((mint) => deriveVault(mint).address === address)) {
    return [danger, `a vault of private balances${NO_KEY}`];
  }
  const what =
    'which is not a wallet: only a program that owns the address, such as a multisig, can withdraw them';
  return [caution, what];
}

const NO_KEY = ': no key can withdraw them again';

/** Percentage of a signer's lamports that counts as the whole balance, because fees take the rest. */
const ALL_PERCENT = 99n;

/** Reports signers that lose a whole balance. The finding is dropped later if it was requested. */
export function takesAllFindings(calls: readonly ExplainedCall[], context: Context): Finding[] {
  const signers = new Set(
    calls.flatMap(({ call }) =>
      call.accounts.flatMap(({ address, signer }) => (signer && address !== null ? [address] : [])),
    ),
  );
  const effects = calls.flatMap((call) => call.effects);
  return [...signers].flatMap((signer) =>
    takenTokens(signer, effects, context).concat(takenLamports(signer, effects, context)),
  );
}

function takenTokens(signer: Address, effects: readonly Effect[], { accounts, book, location }: Context) {
  const own = effects.filter(
    (effect): effect is TokenEffect =>
      effect.kind === 'tokens' && effect.owner === signer && effect.isConverted !== true,
  );
  const mints = new Set(own.flatMap(({ mint }) => mint ?? []));
  return [...mints].flatMap((mint) => {
    const moved = own.filter((effect) => effect.mint === mint);
    // Tokens that only move between places of one owner, as in a deposit, do not leave.
    if (sumOf(moved.map(({ change }) => change)) >= 0n) return [];
    const leaving = totalEffects(moved.filter((effect) => effect.location === location)).tokens;
    return leaving.flatMap(({ account, change }) => {
      const held = account === null ? null : accounts.get(account);
      if (!held || !isTokenProgram(held.owner) || change === null) return [];
      const amount = decodeTokenAccount(held.data)?.amount ?? 0n;
      if (amount === 0n || -change < amount) return [];
      const what = book.tokens(-change, mint);
      if (-change === amount) return takesAll(signer, what);
      const message = `More than the whole balance of ${signer} would leave it: ${what}. The balance is ${book.tokens(amount, mint)}.`;
      return caution('TAKES_ALL', message);
    });
  });
}

function takenLamports(signer: Address, effects: readonly Effect[], { accounts }: Context): Finding[] {
  const held = accounts.get(signer)?.lamports ?? 0n;
  const changes = effects.map((effect) => {
    if (effect.kind === 'lamports' && effect.address === signer) return effect.change;
    // Wrapped lamports still belong to the signer.
    const isWrapped = effect.kind === 'tokens' && effect.isConverted === true && effect.owner === signer;
    return isWrapped ? effect.change : null;
  });
  const taken = -sumOf(changes);
  return taken > 0n && taken * 100n >= held * ALL_PERCENT && held > 0n
    ? [takesAll(signer, describeLamports(taken))]
    : [];
}

const takesAll = (signer: Address, what: string): Finding =>
  caution('TAKES_ALL', `The whole balance of ${signer} leaves it: ${what}.`);
