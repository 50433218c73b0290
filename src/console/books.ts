import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { AccountView } from '../ledger/state/accounts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Timer } from '../ports/timer.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveDelegationMetadata } from '../programs/delegation/pdas.ts';
import { decodeDelegationMetadata } from '../programs/delegation/state.ts';
import { deriveVault } from '../programs/ephemeral-token/pdas.ts';
import { decodeVault, readEata } from '../programs/ephemeral-token/state.ts';
import { decodeMint, decodeTokenAccount } from '../programs/token/state.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { BookState, MintBook } from './answers.ts';
import { type ApiRoute, createReadRoute } from './api-route.ts';

/** Amounts of the eATAs of a mint on base, in base units. */
interface BaseClaims {
  /** Sum of delegated eATAs, as of the last commit to base. */
  onRollup: bigint;
  /** Sum of delegated eATAs whose undelegation was requested. */
  wayBack: bigint;
  /** Total balance of undelegated eATAs, which their owners can withdraw. */
  ready: bigint;
  /** Whether any eATA is delegated, even an empty one. */
  hasDelegated: boolean;
}

interface BaseFacts {
  readonly vaults: ReadonlyMap<Address, 'a' | 'b'>;
  readonly claims: ReadonlyMap<Address, Readonly<BaseClaims>>;
}

/** Adds up the vaults and eATAs on base. */
export function readBaseFacts(base: AccountView): BaseFacts {
  const vaults = new Map<Address, 'a' | 'b'>();
  const claims = new Map<Address, BaseClaims>();
  for (const [address, account] of base.ownedBy(EPHEMERAL_TOKEN_PROGRAM)) {
    const vault = decodeVault(address, account.data);
    if (vault !== null) vaults.set(vault.mint, vault.tokenAccount === null ? 'a' : 'b');
    else addClaim(claims, address, account, () => 'ready');
  }
  for (const [address, account] of base.ownedBy(DELEGATION_PROGRAM)) {
    addClaim(claims, address, account, () => (isUndelegating(base, address) ? 'wayBack' : 'onRollup'));
  }
  return { vaults, claims };
}

function addClaim(
  claims: Map<Address, BaseClaims>,
  address: Address,
  account: Account,
  kindOf: () => 'onRollup' | 'wayBack' | 'ready',
): void {
  const eata = readEata(account);
  if (eata === null || eata.address !== address) return;
  const kind = kindOf();
  let sums = claims.get(eata.mint);
  if (sums === undefined) {
    sums = { onRollup: 0n, wayBack: 0n, ready: 0n, hasDelegated: false };
    claims.set(eata.mint, sums);
  }
  sums[kind] += eata.amount;
  if (kind !== 'ready') sums.hasDelegated = true;
}

/** Whether the undelegation of an eATA was requested on base, by its validator or by its program. */
function isUndelegating(base: AccountView, eata: Address): boolean {
  const metadata = base.get(deriveDelegationMetadata(eata).address);
  const requester = metadata && decodeDelegationMetadata(metadata.data)?.undelegationRequester;
  return requester !== undefined && requester !== 'none';
}

interface BookContext {
  readonly base: AccountView;
  readonly facts: BaseFacts;
  readonly slot: number;
  /** Returns the symbol of a mint; null if the service does not know the mint. */
  readonly symbolOf: (mint: Address) => string | null;
}

interface Totals {
  readonly amount: bigint | null;
  readonly owed: bigint;
  readonly missing: bigint | null;
}

const NO_CLAIMS: Readonly<BaseClaims> = { onRollup: 0n, wayBack: 0n, ready: 0n, hasDelegated: false };

function readMintBook(mint: Address, context: BookContext): MintBook {
  const { base, facts, slot, symbolOf } = context;
  const mintAccount = base.get(mint);
  const vaultAta = mintAccount && deriveAta(deriveVault(mint).address, mint, mintAccount.owner).address;
  const vaultAccount = vaultAta && base.get(vaultAta);
  const isToken = vaultAccount?.owner === mintAccount?.owner;
  const holding = vaultAccount && isToken ? decodeTokenAccount(vaultAccount.data) : null;
  const amount = holding?.amount ?? null;
  const claims = facts.claims.get(mint) ?? NO_CLAIMS;
  const owed = claims.onRollup + claims.wayBack + claims.ready;
  // On layout B, delegated eATAs receive tokens, and payouts leave the vault while payers stay delegated. So
  // the base amounts of delegated eATAs cannot be compared with the vault.
  const isOutOfDate = facts.vaults.get(mint) === 'b' && claims.hasDelegated;
  const missing = missingFrom(amount, isOutOfDate ? claims.ready : owed);
  return {
    mint,
    symbol: symbolOf(mint),
    decimals: (mintAccount && decodeMint(mintAccount.data)?.decimals) ?? null,
    vault: { address: vaultAta ?? null, amount: amount === null ? null : String(amount) },
    owed: String(owed),
    onRollup: String(claims.onRollup),
    wayBack: String(claims.wayBack),
    ready: String(claims.ready),
    surplus: String(amount !== null && amount > owed ? amount - owed : 0n),
    state: stateOf({ amount, owed, missing }, claims, isOutOfDate),
    difference: missing === null || missing === 0n ? null : String(missing),
    asOfSlot: slot,
  };
}

/** Returns how much the vault lacks to cover `needed`; null if it cannot be read and `needed` is not zero. */
function missingFrom(amount: bigint | null, needed: bigint): bigint | null {
  if (needed === 0n) return 0n;
  if (amount === null) return null;
  return needed > amount ? needed - amount : 0n;
}

/**
 * Compares a vault with its claims. Base does not show payments since the last commit, so a surplus can be
 * correct.
 */
function stateOf(
  { amount, owed, missing }: Totals,
  { hasDelegated }: Readonly<BaseClaims>,
  isOutOfDate: boolean,
): BookState {
  if (missing !== 0n) return 'disagree';
  if (isOutOfDate) return 'under-way';
  if ((amount ?? 0n) === 0n && owed === 0n) return 'empty';
  if (amount === owed || !hasDelegated) return 'agree';
  return 'under-way';
}

/** Maximum number of mints in a response, because anyone can create mints. */
const MINTS_MAX = 100;

/** Minimum pause after a sum, as a multiple of its duration. This limits the sums to 10% of a CPU. */
const REST_FACTOR = 9;

interface BooksOptions {
  readonly base: Pick<EmbeddedLedger, 'state' | 'head' | 'subscribe'>;
  /** Monotonic clock, in ms. */
  readonly clock: Clock;
  readonly timer: Timer;
  /** Mints that the service knows. They come first. */
  readonly known: readonly { readonly mint: Address; readonly symbol: string }[];
}

/**
 * The books of every mint. They are read only from base, so private payments on the rollup do not change
 * them.
 */
export class Books {
  readonly #options: BooksOptions;
  readonly #unsubscribe: () => void;
  #isStale = true;
  /** End of the pause before the next sum, in ms. */
  #restsUntilMs = -Infinity;
  #rest: Promise<void> | undefined;
  #books: readonly MintBook[] = [];

  constructor(options: BooksOptions) {
    this.#options = options;
    this.#unsubscribe = options.base.subscribe(() => {
      this.#isStale = true;
    });
  }

  /** Returns the books of the known mints, then the books of other mints by address. */
  async read(): Promise<readonly MintBook[]> {
    return (await this.#current()).slice(0, MINTS_MAX);
  }

  close(): void {
    this.#unsubscribe();
  }

  async #current(): Promise<readonly MintBook[]> {
    const { clock, timer } = this.#options;
    if (!this.#isStale) return this.#books;
    const restMs = this.#restsUntilMs - clock.now();
    if (restMs > 0) {
      this.#rest ??= new Promise((resolve) => timer.after(Math.ceil(restMs), resolve));
      await this.#rest;
      this.#rest = undefined;
    }
    return this.#isStale ? this.#addUp() : this.#books;
  }

  #addUp(): readonly MintBook[] {
    const { base, clock, known } = this.#options;
    const startedMs = clock.now();
    const state = base.state();
    const facts = readBaseFacts(state);
    const symbols = new Map(known.map(({ mint, symbol }) => [mint, symbol]));
    const others = [...new Set([...facts.vaults.keys(), ...facts.claims.keys()])].filter(
      (mint) => !symbols.has(mint),
    );
    const mints = [...symbols.keys(), ...others.toSorted()];
    const context = {
      base: state,
      facts,
      slot: base.head().slot,
      symbolOf: (mint: Address) => symbols.get(mint) ?? null,
    };
    this.#books = mints.map((mint) => readMintBook(mint, context));
    this.#isStale = false;
    const endedMs = clock.now();
    this.#restsUntilMs = endedMs + (endedMs - startedMs) * REST_FACTOR;
    return this.#books;
  }
}

/** Creates the route `GET /console/api/books`, which returns an empty list without a ledger. */
export const createBooksRoute = (books: Books | null): ApiRoute =>
  createReadRoute('/console/api/books', async () => (await books?.read()) ?? []);
