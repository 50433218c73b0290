import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import { COMMON_MINTS, formatBaseUnits, type KnownMint } from '../mints/common-mints.ts';

/** The owner and the mint of a token account or eATA. */
export interface KnownHolding {
  readonly owner: Address;
  readonly mint: Address;
}

/** An account whose on-chain owner differs from the owner that its address implies. */
interface Handover {
  readonly account: Address;
  readonly derived: KnownHolding;
  readonly held: KnownHolding;
}

/** Maximum number of owner and mint pairs to derive. A transaction contains at most a few dozen addresses. */
const DERIVED_PAIRS_MAX = 64;

/**
 * Known addresses of an explained transaction. Token accounts and eATAs come from the chain, or are derived
 * from owners and mints that the transaction or the caller names. The chain takes precedence, because an ATA
 * can change its owner (SPL Token `SetAuthority`).
 */
export class AddressBook {
  readonly #mints = new Map<Address, KnownMint>(COMMON_MINTS);
  readonly #held = new Map<Address, KnownHolding>();
  readonly #derived = new Map<Address, KnownHolding>();

  addMint(mint: Address, decimals: number): void {
    if (!COMMON_MINTS.has(mint)) this.#mints.set(mint, { decimals, symbol: null });
  }

  addHolding(account: Address, { owner, mint }: KnownHolding): void {
    this.#held.set(account, { owner, mint });
  }

  /** Adds the ATAs (of both token programs) and eATAs that `owners` can have for `mints`. */
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

  /** Returns the owner and mint that the address implies, unless the chain states them. */
  presumed(account: Address): KnownHolding | undefined {
    return this.#held.has(account) ? undefined : this.#derived.get(account);
  }

  handovers(): Handover[] {
    return [...this.#held].flatMap(([account, held]) => {
      const derived = this.#derived.get(account);
      const agrees = derived === undefined || (derived.owner === held.owner && derived.mint === held.mint);
      return agrees ? [] : [{ account, derived, held }];
    });
  }

  /** Formats a non-negative `amount` in whole tokens; null if the mint's decimals are unknown. */
  figure(amount: bigint, mint: Address | null): string | null {
    const known = mint === null ? undefined : this.#mints.get(mint);
    if (known === undefined) return null;
    const figure = formatBaseUnits(amount, known.decimals);
    return known.symbol === null ? figure : `${figure} ${known.symbol}`;
  }

  tokens(amount: bigint, mint: Address | null): string {
    const of = mint === null ? 'of a mint that the bytes do not name' : `of mint ${mint}`;
    const figure = this.figure(amount, mint);
    if (figure === null) return `${amount} base units ${of}`;
    const unit = this.#mints.get(mint as Address)?.symbol === null ? ' tokens' : '';
    return `${figure}${unit} (${amount} base units ${of})`;
  }
}

/** Mints that are known without reading a chain. */
export const COMMON_MINT_ADDRESSES: readonly Address[] = [...COMMON_MINTS.keys()];

/** Formats lamports as text. */
export function describeLamports(lamports: bigint): string {
  return `${lamports} lamports (${formatBaseUnits(lamports, 9)} SOL)`;
}

/** Formats a change in lamports as text. */
export const lamportChange = (change: bigint): string =>
  change < 0n ? `loses ${describeLamports(-change)}` : `gets ${describeLamports(change)}`;
