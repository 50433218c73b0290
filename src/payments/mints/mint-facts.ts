import type { Chain, Layout } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeMintScale, isTokenProgram, type MintScale } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { COMMON_MINTS } from './common-mints.ts';

/** The properties of a mint that the operations need. */
export interface MintFacts {
  readonly mint: Address;
  /** The program that owns the mint: SPL Token or Token-2022. */
  readonly tokenProgram: Address;
  readonly decimals: number;
}

/**
 * Maximum decimals of a supported mint. With 20 even the largest amount (SPL Token `Mint.supply`,
 * 18446744073709551615 base units) is less than one whole token: such a mint is a mistake or a fraud.
 */
export const DECIMALS_MAX = 19;

interface ChainMints {
  readonly memory: MintMemory;
  readonly inFlight: Map<Address, Promise<MintFacts>>;
}

const chains = new WeakMap<Chain, ChainMints>();

/**
 * Reads a mint from the chain, unless it was confirmed recently ({@link MintMemory}). Concurrent callers
 * share a read. Failures are not cached.
 *
 * A network's answer about a common mint must match its known properties ({@link COMMON_MINTS}), even on a
 * cluster configured by URL. A localnet's operator may set any account.
 *
 * @throws {ServiceError} MINT_NOT_FOUND; UNSUPPORTED_TOKEN_PROGRAM if another program owns the account;
 *   ACCOUNT_UNREADABLE if a token program owns it but it is not an initialized mint; MINT_NOT_SUPPORTED for
 *   more than {@link DECIMALS_MAX} decimals; MINT_FACTS_WRONG if it contradicts what is known;
 *   MINT_FACTS_DISPUTED if it contradicts an earlier answer.
 */
export function readMint(chain: Chain, mint: Address, clock: Clock = systemClock): Promise<MintFacts> {
  // Local ledgers may be reset, and reading them is cheap.
  if (chain.network === 'localnet') return readLocal(chain, mint);
  let mints = chains.get(chain);
  if (mints === undefined) chains.set(chain, (mints = { memory: new MintMemory(), inFlight: new Map() }));
  const { memory, inFlight } = mints;
  const known = memory.confirmed(mint, clock.now());
  if (known !== undefined) return Promise.resolve(known);
  const shared = inFlight.get(mint);
  if (shared !== undefined) return shared;
  const reading = readConfirming(chain, mint, memory, clock);
  const end = (): void => void inFlight.delete(mint);
  reading.then(end, end);
  inFlight.set(mint, reading);
  // Do not return the promise from `then`, because another read could fail first. Callers would then see that
  // error instead of the wrong mint's own error.
  return reading;
}

async function readLocal(chain: Chain, mint: Address): Promise<MintFacts> {
  const [account = null] = await chain.getAccounts([mint]);
  return decodeFacts(chain, mint, account);
}

async function readConfirming(
  chain: Chain,
  mint: Address,
  memory: MintMemory,
  clock: Clock,
): Promise<MintFacts> {
  const { account, by } =
    chain.accountBy === undefined
      ? { account: (await chain.getAccounts([mint]))[0] ?? null, by: undefined }
      : await chain.accountBy(mint, memory.lastBy(mint));
  if (account !== null) requireCommon(chain, mint, account);
  const facts = decodeFacts(chain, mint, account);
  memory.take({ facts, by, isKnown: COMMON_MINTS.has(mint) }, clock.now());
  return facts;
}

function decodeFacts(chain: Chain, mint: Address, account: Account | null): MintFacts {
  if (account === null) {
    throw new ServiceError(
      'MINT_NOT_FOUND',
      `mint ${mint} does not exist on ${chain.cluster}; pass a mint that does`,
      {
        field: 'mint',
        mint,
        cluster: chain.cluster,
      },
    );
  }
  if (!isTokenProgram(account.owner)) {
    throw new ServiceError(
      'UNSUPPORTED_TOKEN_PROGRAM',
      `mint ${mint} belongs to ${account.owner}, which is neither SPL Token nor Token-2022; pass the address of a mint`,
      { field: 'mint', mint, owner: account.owner },
    );
  }
  const scale = decodeMintScale(account.data);
  if (scale === null) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `account ${mint} belongs to a token program but is not an initialized mint; pass the address of a mint`,
      { field: 'mint', mint },
    );
  }
  requireSaneScale(mint, scale);
  return { mint, tokenProgram: account.owner, ...scale };
}

function requireSaneScale(mint: Address, scale: MintScale): void {
  if (scale.decimals > DECIMALS_MAX) {
    throw new ServiceError(
      'MINT_NOT_SUPPORTED',
      `mint ${mint} has ${scale.decimals} decimals, so many that even the largest amount is less than one token; pass a mint with at most ${DECIMALS_MAX}`,
      { field: 'mint', mint, decimals: scale.decimals },
    );
  }
}

/**
 * Rejects impossible facts about a mint.
 *
 * @throws {ServiceError} MINT_NOT_SUPPORTED, MINT_FACTS_WRONG.
 */
export function requireSaneMint(chain: Chain, mint: Address, account: Account): void {
  if (chain.network !== 'localnet') requireCommon(chain, mint, account);
  const scale = decodeMintScale(account.data);
  if (scale !== null) requireSaneScale(mint, scale);
}

/** @throws {ServiceError} MINT_FACTS_WRONG if the account contradicts what is known about a common mint. */
function requireCommon(chain: Chain, mint: Address, { owner, data }: Account): void {
  const common = COMMON_MINTS.get(mint);
  if (common === undefined) return;
  const decimals = decodeMintScale(data)?.decimals ?? null;
  if (owner === common.tokenProgram && decimals === common.decimals) return;
  const answered = decimals === null ? 'no mint' : `of ${decimals} decimals`;
  throw new ServiceError(
    'MINT_FACTS_WRONG',
    `cluster ${chain.cluster} answered that mint ${mint} is ${answered} and belongs to ${owner}, but it is ${common.symbol}, which has ${common.decimals} decimals and belongs to ${common.tokenProgram}. Nothing was built. Try again. If the error persists, ask the operator to check the RPC URLs`,
    {
      field: 'mint',
      mint,
      answered: `${answered}, ${owner}`,
      known: `of ${common.decimals} decimals, ${common.tokenProgram}`,
    },
  );
}

/**
 * Rejects a mint that the program of a layout cannot hold: layout A supports only SPL Token.
 *
 * @throws {ServiceError} UNSUPPORTED_TOKEN_PROGRAM.
 */
export function requireHoldable(facts: MintFacts, layout: Layout): void {
  if (layout === 'b' || facts.tokenProgram === TOKEN_PROGRAM) return;
  throw new ServiceError(
    'UNSUPPORTED_TOKEN_PROGRAM',
    `mint ${facts.mint} belongs to Token-2022, which the program on this cluster does not support; pass a mint of SPL Token`,
    { field: 'mint', mint: facts.mint, owner: facts.tokenProgram },
  );
}

/** Maximum age of confirmed facts, in ms. This limits the effect of an upstream that was wrong twice. */
export const CONFIRMED_MS = 5 * 60_000;

/** Maximum number of cached mints per chain. The oldest is dropped first. */
const MINTS_MAX = 1_024;

interface MintReading {
  readonly facts: MintFacts;
  /** Index of the URL that answered; undefined if there is only one. */
  readonly by: number | undefined;
  readonly isKnown: boolean;
}

/** The last reading, and the time at which another reading agreed with it; null if no reading has. */
type Remembered = Omit<MintReading, 'isKnown'> & { readonly confirmedAt: number | null };

/**
 * Cached answers about the mints of a chain. Facts are used only after two readings agree (from two URLs if
 * there are several), and only for a limited time. Then they must be confirmed again.
 */
class MintMemory {
  readonly #mints = new Map<Address, Remembered>();

  /**
   * Returns the stored facts if they are still valid at `now` (ms). SPL Token neither closes a mint nor
   * changes its decimals. Token-2022 can close mints, so they are read each time.
   */
  confirmed(mint: Address, now: number): MintFacts | undefined {
    const remembered = this.#mints.get(mint);
    if (remembered === undefined || remembered.confirmedAt === null) return undefined;
    if (remembered.facts.tokenProgram !== TOKEN_PROGRAM) return undefined;
    const ageMs = now - remembered.confirmedAt;
    // A negative age means that the clock was set back, so the facts are not used.
    return ageMs >= 0 && ageMs <= CONFIRMED_MS ? remembered.facts : undefined;
  }

  /** Returns the URL that last reported a mint. The next read should use a different one. */
  lastBy(mint: Address): number | undefined {
    return this.#mints.get(mint)?.by;
  }

  /**
   * Adds a reading made at `now`.
   *
   * @throws {ServiceError} MINT_FACTS_DISPUTED if it contradicts the previous one. Either may be wrong, so
   *   both are dropped.
   */
  take({ facts, by, isKnown }: MintReading, now: number): void {
    const { mint } = facts;
    const before = this.#mints.get(mint);
    if (before !== undefined && !isSame(before.facts, facts)) {
      this.#mints.delete(mint);
      throw disputed(before.facts, facts);
    }
    const isAgreed = before !== undefined && (by === undefined || by !== before.by);
    if (isKnown || isAgreed) this.#store({ facts, by, confirmedAt: now });
    else if (before === undefined) this.#store({ facts, by, confirmedAt: null });
  }

  #store(remembered: Remembered): void {
    const { mint } = remembered.facts;
    if (!this.#mints.has(mint) && this.#mints.size >= MINTS_MAX) {
      this.#mints.delete(this.#mints.keys().next().value as Address);
    }
    this.#mints.set(mint, remembered);
  }
}

const isSame = (left: MintFacts, right: MintFacts): boolean =>
  left.decimals === right.decimals && left.tokenProgram === right.tokenProgram;

function disputed(before: MintFacts, now: MintFacts): ServiceError {
  const { mint } = now;
  return new ServiceError(
    'MINT_FACTS_DISPUTED',
    `mint ${mint} was ${wordsOf(before)} in an earlier response, but is ${wordsOf(now)} now. Try again. If the error persists, ask the operator to check the RPC URLs`,
    { field: 'mint', mint, before: wordsOf(before), now: wordsOf(now) },
  );
}

const wordsOf = ({ tokenProgram, decimals }: MintFacts): string =>
  `of ${decimals} decimals and ${tokenProgram}`;
