import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import type { Operation } from '../payments/operation.ts';
import { signMissing } from './sign-missing.ts';
import { readTransactionText, transactionText } from '../payments/fields/transaction-field.ts';
import type { TestWallets } from './test-wallets.ts';

const input = z.strictObject({
  transactionBase64: transactionText('The unsigned transaction as a tool built it, base64.'),
  sendTo: z
    .enum(['base', 'ephemeral'], {
      error: 'must be "base" or "ephemeral": the sendTo of the built transaction',
    })
    .meta({ description: 'The ledger it was built for: the sendTo of the built transaction.' }),
});

type Input = z.infer<typeof input>;

/** `spl.sendTransaction`, as far as it is used here. */
export type Send = (sent: {
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
  readonly cluster: 'localnet';
  readonly confirm: true;
}) => Promise<{ readonly output: SendOutput }>;

const output = z.object({
  signature: z.string().meta({ description: 'The signature the transaction is known by, base58.' }),
  sendTo: z.enum(['base', 'ephemeral']).meta({ description: 'The ledger it was handed to.' }),
  outcome: z.enum(['sent', 'confirmed', 'expired']).meta({
    description:
      'confirmed: it landed successfully; sent: not seen to have landed yet; expired: it never will.',
  }),
});

type SendOutput = z.infer<typeof output>;

/**
 * Signs with the test wallets that have to, and sends. Errors: INVALID_TRANSACTION, INVALID_ARGUMENTS for a
 * signer that is no test wallet, and those of sendTransaction.
 */
export function createSignAndSend(wallets: TestWallets, send: Send): Operation<Input, SendOutput> {
  return {
    namespace: 'localnet',
    name: 'signAndSend',
    title: 'Sign with test wallets and send',
    description:
      'Signs a transaction that another tool built with the test wallets that have to sign it, sends it to the ledger it was built for on localnet, and waits until it has landed. It signs whatever it is given: use spl.explainTransaction first where that matters.',
    effect: 'local',
    input: input as z.ZodType<Input>,
    output,
    async run({ transactionBase64, sendTo }) {
      const { wire, missing } = signMissing(readTransactionText(transactionBase64), (address) =>
        wallets.find(address),
      );
      if (missing.length > 0) {
        throw new ServiceError(
          'INVALID_ARGUMENTS',
          `The transaction needs the signature of ${missing.join(' and ')}, which is no test wallet of this process: build it for wallets of localnet.createWallet`,
          { field: 'transactionBase64' },
        );
      }
      const signed = Buffer.from(wire).toString('base64');
      const sent = { transactionBase64: signed, sendTo, cluster: 'localnet', confirm: true } as const;
      const { signature, outcome } = (await send(sent)).output;
      return {
        output: { signature, sendTo, outcome },
        sentences: [
          'Signed and sent the transaction.',
          `Transaction ${signature} is ${outcome} on localnet.`,
        ],
      };
    },
  };
}
