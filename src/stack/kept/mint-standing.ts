import { readBaseFacts } from '../../console/books/base-claims.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeMint, decodeTokenAccount } from '../../programs/token/state.ts';
import { Projections } from '../../rollup/projection/projections.ts';
import { recallProjections } from '../../rollup/projection/projections.ts';
import { claimsByMint, MintClaims } from '../../rollup/settlement/claims.ts';
import { booksOf, InconsistentBooks, type MintKeys, vaultAtaOf } from '../../rollup/settlement/solvency.ts';
import type { Address } from '../../solana/address.ts';

/** How a mint stands; amounts are base units. */
export interface MintStanding {
  readonly mint: Address;
  readonly decimals: number;
  /** What the mint says there is. */
  readonly supply: bigint;
  /** What all token accounts on base have together. Operators who set accounts can make it another amount. */
  readonly held: bigint;
  /** Null for a mint without a vault, of which nobody has deposited. */
  readonly vault: VaultStanding | null;
}

/** A vault against what is owed out of it, on base and on the rollup. */
interface VaultStanding {
  readonly layout: 'a' | 'b';
  readonly amount: bigint;
  /** Null where it cannot be said, for which `fault` is the reason. */
  readonly owed: bigint | null;
  /** Why the mint would be halted; null where the vault has all that is owed. */
  readonly fault: string | null;
}

const NONE = new MintClaims();

/** Every mint of a ledger, in the order of their addresses. */
export function standingsOf(base: AccountView, rollup: AccountView | null): MintStanding[] {
  const projections = new Projections();
  if (rollup !== null) recallProjections(rollup, projections);
  const ledgers = { base, rollup: rollup ?? { get: () => undefined }, projections };
  const { vaults, claims } = readBaseFacts(base);
  const claimed = claimsByMint(ledgers);
  const held = sumsOf(base);
  const standings: MintStanding[] = [];
  for (const tokenProgram of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [mint, account] of base.ownedBy(tokenProgram)) {
      const state = decodeMint(account.data);
      if (state === null) continue;
      const layout = vaults.get(mint) ?? (claims.has(mint) ? 'a' : null);
      const vault = layout && vaultOf({ mint, tokenProgram }, claimed.get(mint) ?? NONE, base, layout);
      const { decimals, supply } = state;
      standings.push({ mint, decimals, supply, held: held.get(mint) ?? 0n, vault });
    }
  }
  return standings.toSorted((one, other) => (one.mint < other.mint ? -1 : 1));
}

function vaultOf(keys: MintKeys, claims: MintClaims, base: AccountView, layout: 'a' | 'b'): VaultStanding {
  const account = base.get(vaultAtaOf(keys));
  const isToken = account?.owner === keys.tokenProgram;
  const amount = (isToken && decodeTokenAccount(account.data)?.amount) || 0n;
  try {
    return { layout, amount, owed: amount - booksOf(keys, claims, base).surplus, fault: null };
  } catch (error) {
    if (error instanceof InconsistentBooks) return { layout, amount, owed: null, fault: error.message };
    throw error;
  }
}

/** What the token accounts of each mint have together. */
function sumsOf(base: AccountView): ReadonlyMap<Address, bigint> {
  const sums = new Map<Address, bigint>();
  for (const tokenProgram of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [, { data }] of base.ownedBy(tokenProgram)) {
      const account = decodeMint(data) === null ? decodeTokenAccount(data) : null;
      if (account !== null) sums.set(account.mint, (sums.get(account.mint) ?? 0n) + account.amount);
    }
  }
  return sums;
}
