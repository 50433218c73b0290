import type { SignatureDictionary, Transaction as KitTransaction, TransactionSigner } from '@solana/kit';
import { SIGNATURE_BYTES } from '../solana/signature.ts';
import { decodeTransaction, messageOf, type Transaction } from '../solana/transaction.ts';

/** A transaction as the signers of kit take it. */
type Signable = Parameters<
  Extract<TransactionSigner, { signTransactions: unknown }>['signTransactions']
>[0][number];

/**
 * Has the signers sign exactly these bytes.
 *
 * @param lastValidBlockHeight told to wallets that show it.
 * @throws {TypeError} if a signer can only sign and send at once, or signs other bytes.
 * @returns the bytes with the signatures put in. Whether they are right is checked before they are sent.
 */
export async function signWire(
  bytes: Uint8Array,
  signers: readonly TransactionSigner[],
  lifetime: { readonly blockhash: string; readonly lastValidBlockHeight: bigint },
): Promise<Uint8Array> {
  const transaction = decodeTransaction(bytes);
  const required = new Set<string>(requiredSigners(transaction));
  const wire = Uint8Array.from(transaction.wire);
  for (const signer of signers) {
    if (!required.has(signer.address)) continue;
    const message = Uint8Array.from(messageOf({ ...transaction, wire }));
    const signable = {
      messageBytes: message,
      signatures: signaturesOf(decodeTransaction(wire)),
      lifetimeConstraint: lifetime,
    };
    const signatures = await signaturesFrom(signer, signable as unknown as Signable, transaction);
    const signature = signatures[signer.address];
    const index = transaction.staticKeys.findIndex((key: string) => key === signer.address);
    if (signature != null) wire.set(signature, transaction.signaturesAt + index * SIGNATURE_BYTES);
  }
  return wire;
}

const requiredSigners = ({ staticKeys, requiredSignatures }: Transaction) =>
  staticKeys.slice(0, requiredSignatures);

const signaturesOf = (transaction: Transaction): Record<string, Uint8Array | null> =>
  Object.fromEntries(
    requiredSigners(transaction).map((address, index) => {
      const signature = transaction.signatures[index];
      return [address, signature?.some((byte) => byte !== 0) === true ? signature : null];
    }),
  );

async function signaturesFrom(
  signer: TransactionSigner,
  signable: Signable,
  transaction: Transaction,
): Promise<SignatureDictionary | KitTransaction['signatures']> {
  if ('signTransactions' in signer) return (await signer.signTransactions([signable]))[0] ?? {};
  if (!('modifyAndSignTransactions' in signer)) {
    throw new TypeError(
      `the signer ${signer.address} can only sign and send at once: nothing could be checked or sent to the rollup`,
    );
  }
  const [signed] = await signer.modifyAndSignTransactions([signable]);
  const explained = messageOf(transaction);
  const isSame =
    signed?.messageBytes.length === explained.length &&
    explained.every((byte, index) => signed.messageBytes[index] === byte);
  if (!isSame) {
    throw new TypeError(
      `the signer ${signer.address} changed the transaction that was checked: it is not sent`,
    );
  }
  return signed.signatures;
}
