import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import { formatBaseUnits } from '../mints/base-units.ts';
import { COMMON_MINTS, type KnownMint } from '../mints/common-mints.ts';

/** Whose a token account or eATA is, and of which mint. */
export interface KnownHolding {
  readonly owner: Address;
  readonly mint: Address;
}

/** An account that is at the address derived for one holder, and that the chain says another one has. */
export interface Handover {
  readonly account: Address;
  /** Whose it is by its address. */
  readonly derived: KnownHolding;
  /** Whose it is by the chain's word. */
  readonly held: KnownHolding;
}

/** Owners times mints whose accounts are derived at most: a transaction names at most some dozens of addresses. */
const DERIVED_PAIRS_MAX = 64;

/**
 * What is known of addresses while a transaction is explained. Token accounts and eATAs are recognised because a chain
 * says whose they are, or because they are derived from an owner and a mint that the transaction or the caller names.
 * The chain's word counts for more: an ATA can be handed over to somebody else (SPL Token `SetAuthority`).
 */
export class AddressBook {
  readonly #mints = new Map<Address, KnownMint>(COMMON_MINTS);
  /** By the chain's word. */
  readonly #held = new Map<Address, KnownHolding>();
  /** By the address alone. */
  readonly #derived = new Map<Address, KnownHolding>();

  /** What a chain says of a mint that is not common knowledge. */
  addMint(mint: Address, decimals: number): void {
    if (!COMMON_MINTS.has(mint)) this.#mints.set(mint, { decimals, symbol: null });
  }

  /** What a chain says of a token account or eATA. */
  addHolding(account: Address, { owner, mint }: KnownHolding): void {
    this.#held.set(account, { owner, mint });
  }

  /** Adds the ATAs (of both token programs) and eATAs that `owners` can have of `mints`. */
  deriveHoldings(owners: readonly Address[], mints: readonly Address[]): void {
    const pairs = owners.flatMap((owner) => mints.map((mint) => ({ owner, mint })));
    for (const holding of pairs.slice(0, DERIVED_PAIRS_MAX)) {
      const { owner, mint } = holding;
      this.#derived.set(deriveAta(owner, mint, TOKEN_PROGRAM).address, holding);
      this.#derived.set(deriveAta(owner, mint, TOKEN_2022_PROGRAM).address, holding);
      this.#derived.set(deriveEata(owner, mint).address, holding);
    }
  }

  mint(mint: Address): KnownMint | undefined {
    return this.#mints.get(mint);
  }

  holding(account: Address | null): KnownHolding | undefined {
    return account === null ? undefined : (this.#held.get(account) ?? this.#derived.get(account));
  }

  /** Whose an account would be by its address, where the chain has not said whose it is. */
  presumed(account: Address): KnownHolding | undefined {
    return this.#held.has(account) ? undefined : this.#derived.get(account);
  }

  /** The accounts that are somebody else's than their addresses say. */
  handovers(): Handover[] {
    return [...this.#held].flatMap(([account, held]) => {
      const derived = this.#derived.get(account);
      const agrees = derived === undefined || (derived.owner === held.owner && derived.mint === held.mint);
      return agrees ? [] : [{ account, derived, held }];
    });
  }

  /** `amount` (not negative) as people write it, null when the decimals of the mint are not known. */
  figure(amount: bigint, mint: Address | null): string | null {
    const known = mint === null ? undefined : this.#mints.get(mint);
    if (known === undefined) return null;
    const figure = formatBaseUnits(amount, known.decimals);
    return known.symbol === null ? figure : `${figure} ${known.symbol}`;
  }

  /** An amount of tokens in words, with base units and mint. */
  tokens(amount: bigint, mint: Address | null): string {
    const of = mint === null ? 'of a mint that the bytes do not name' : `of mint ${mint}`;
    const figure = this.figure(amount, mint);
    if (figure === null) return `${amount} base units ${of}`;
    const unit = this.#mints.get(mint as Address)?.symbol === null ? ' tokens' : '';
    return `${figure}${unit} (${amount} base units ${of})`;
  }
}

/** Mints that are named without a chain. */
export const COMMON_MINT_ADDRESSES: readonly Address[] = [...COMMON_MINTS.keys()];

/** Lamports in words. */
export function describeLamports(lamports: bigint): string {
  return `${lamports} lamports (${formatBaseUnits(lamports, 9)} SOL)`;
}
