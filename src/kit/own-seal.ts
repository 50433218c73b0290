import type { Clusters } from '../chain/clusters.ts';
import { identifyCalls } from '../payments/explain/known-programs.ts';
import { transferInput } from '../payments/transfer/input.ts';
import { checkTransferRequest } from '../payments/transfer/request.ts';
import { systemRandom } from '../ports/random.ts';
import { recipientOf, sealTransfer } from '../programs/private-transfer/seal-transfer.ts';
import type { Transaction } from '../solana/transaction.ts';

/** The sealed boxes in a transaction, as views into its bytes. */
interface Boxes {
  readonly destination: Uint8Array;
  readonly terms: Uint8Array;
}

/**
 * Checks whether a request is for a private payment from base to base. Its recipient and delivery terms are
 * sealed, and only the validator can open them.
 */
export const isSealed = (operation: string, args: Readonly<Record<string, unknown>>): boolean =>
  operation === 'transfer' &&
  (args['visibility'] ?? 'private') === 'private' &&
  (args['fromBalance'] ?? 'base') === 'base' &&
  (args['toBalance'] ?? 'base') === 'base';

/**
 * Replaces the service's boxes with the client's own boxes of the same length.
 *
 * @returns the new bytes; null if there are no boxes of that length, or the transaction is already signed.
 */
export async function sealAnew(
  transaction: Transaction,
  args: object,
  clusters: Clusters,
): Promise<Uint8Array | null> {
  const chain = clusters.resolve(undefined);
  const input = transferInput(clusters.names).parse(args);
  const { to, terms } = checkTransferRequest({ ...input, gasless: false }, chain, undefined);
  const validator = input.validator ?? (await chain.validatorIdentity());
  const sealed = sealTransfer({ destinationOwner: to, terms }, recipientOf(validator), systemRandom);
  const boxes = findBoxes(transaction);
  const isSigned = transaction.signatures.some((signature) => signature.some((byte) => byte !== 0));
  if (boxes === null || isSigned) return null;
  if (boxes.destination.length !== sealed.destination.length) return null;
  if (boxes.terms.length !== sealed.terms.length) return null;
  const wire = Uint8Array.from(transaction.wire);
  const origin = transaction.wire.byteOffset;
  wire.set(sealed.destination, boxes.destination.byteOffset - origin);
  wire.set(sealed.terms, boxes.terms.byteOffset - origin);
  return wire;
}

/** Finds the boxes of the only instruction with boxes; null if there is none, or more than one. */
function findBoxes(transaction: Transaction): Boxes | null {
  const found = identifyCalls(transaction).flatMap(({ matched }): Boxes[] => {
    const destination = matched?.fields.get('sealedDestination');
    const terms = matched?.fields.get('sealedTerms');
    const isInPlace = (box: unknown): box is Uint8Array =>
      box instanceof Uint8Array && box.buffer === transaction.wire.buffer;
    return isInPlace(destination) && isInPlace(terms) ? [{ destination, terms }] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}
