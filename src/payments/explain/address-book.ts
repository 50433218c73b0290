import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import { formatBaseUnits } from '../base-units.ts';
import { COMMON_MINTS, type KnownMint } from '../common-mints.ts';

/** Whose a token account or eATA is, and of which mint. */
export interface KnownHolding {
  readonly owner: Address;
  readonly mint: Address;
}

/** Owners times mints whose accounts are derived at most: a transaction names at most some dozens of addresses. */
const DERIVED_PAIRS_MAX = 64;

/**
 * What is known of addresses while a transaction is explained. Token accounts and eATAs are recognised because they
 * are derived from an owner and a mint that the transaction or the caller names, or because a chain says so.
 */
export class AddressBook {
  readonly #mints = new Map<Address, KnownMint>(COMMON_MINTS);
  readonly #holdings = new Map<Address, KnownHolding>();

  /** What a chain says of a mint; a symbol that was known stays. */
  addMint(mint: Address, decimals: number): void {
    this.#mints.set(mint, { decimals, symbol: this.#mints.get(mint)?.symbol ?? null });
  }

  addHolding(account: Address, holding: KnownHolding): void {
    this.#holdings.set(account, holding);
  }

  /** Adds the ATAs (of both token programs) and eATAs that `owners` can have of `mints`. */
  deriveHoldings(owners: readonly Address[], mints: readonly Address[]): void {
    const pairs = owners.flatMap((owner) => mints.map((mint) => ({ owner, mint })));
    for (const holding of pairs.slice(0, DERIVED_PAIRS_MAX)) {
      const { owner, mint } = holding;
      this.addHolding(deriveAta(owner, mint, TOKEN_PROGRAM).address, holding);
      this.addHolding(deriveAta(owner, mint, TOKEN_2022_PROGRAM).address, holding);
      this.addHolding(deriveEata(owner, mint).address, holding);
    }
  }

  mint(mint: Address): KnownMint | undefined {
    return this.#mints.get(mint);
  }

  holding(account: Address | null): KnownHolding | undefined {
    return account === null ? undefined : this.#holdings.get(account);
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
