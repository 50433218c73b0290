import { deriveAta } from '../../../programs/associated-token.ts';
import { deriveEata, deriveVault } from '../../../programs/ephemeral-token/pdas.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { LASTING } from '../../../solana/commitment.ts';
import { callNode } from '../node-rpc.ts';
import { VerbFailure } from '../verb-failure.ts';
import type { FeedPlace, Landed } from './feed.ts';

/** What `getTransaction` answers with `jsonParsed`, as far as it is looked at. */
interface Answer {
  readonly slot: number;
  readonly blockTime: number | null;
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly { readonly pubkey: string; readonly signer: boolean }[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly preTokenBalances?: readonly TokenBalance[] | null;
    readonly postTokenBalances?: readonly TokenBalance[] | null;
  } | null;
}

interface TokenBalance {
  readonly mint: string;
  readonly owner?: string;
  readonly programId?: string;
}

/** A payment that has landed. */
export interface Payment {
  readonly landed: Landed;
  /** Unix seconds; null where the node does not know it. */
  readonly blockTime: number | null;
  /** The accounts in which it goes on. */
  readonly accounts: readonly Address[];
}

/**
 * A payment on a ledger.
 *
 * @returns null where the ledger does not show the transaction.
 * @throws {ServiceError} UPSTREAM_*; {VerbFailure} `unavailable` where it is shown without its outcome.
 */
export async function findPaymentAt(place: FeedPlace, signature: string): Promise<Payment | null> {
  const config = { encoding: 'jsonParsed', commitment: LASTING, maxSupportedTransactionVersion: 1 };
  const answer = (await callNode(place, 'getTransaction', [signature, config])) as Answer | null;
  if (answer === null) return null;
  const { slot, blockTime, transaction, meta } = answer;
  if (meta === null) {
    const why = `${place.name} shows ${signature} without its outcome`;
    throw new VerbFailure('unavailable', 'UPSTREAM_INVALID', why);
  }
  return {
    landed: { sendTo: place.sendTo, slot, signature, err: meta.err, logs: [] },
    blockTime,
    accounts: accountsOf(transaction, meta),
  };
}

/**
 * The token account and the eATA of everybody who takes part, for each of the mints. They are the same on
 * both ledgers.
 */
function accountsOf(
  { message }: Answer['transaction'],
  { preTokenBalances, postTokenBalances }: NonNullable<Answer['meta']>,
): readonly Address[] {
  const balances = [...(preTokenBalances ?? []), ...(postTokenBalances ?? [])];
  const signers = message.accountKeys.filter(({ signer }) => signer);
  const watched = new Set<Address>();
  for (const { mint, programId } of balances) {
    const mintAddress = parseAddress(mint, 'mint');
    // Everybody's tokens are in the vault: its owner takes part in every payment.
    const vault = deriveVault(mintAddress).address;
    const owners = balances.flatMap((each) =>
      each.mint === mint && each.owner !== undefined ? [each.owner] : [],
    );
    for (const owner of new Set([...owners, ...signers.map(({ pubkey }) => pubkey)])) {
      if (owner === vault || programId === undefined) continue;
      const address = parseAddress(owner, 'owner');
      watched.add(deriveAta(address, mintAddress, parseAddress(programId, 'programId')).address);
      watched.add(deriveEata(address, mintAddress).address);
    }
  }
  // A transaction without tokens goes on with whoever signed it.
  return watched.size > 0 ? [...watched] : signers.map(({ pubkey }) => parseAddress(pubkey, 'signer'));
}
