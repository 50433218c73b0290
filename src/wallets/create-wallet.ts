import { z } from 'zod';
import type { Operation } from '../payments/operation.ts';
import type { TestWallets } from './test-wallets.ts';

const input = z.strictObject({});
const output = z.object({
  wallet: z.string().meta({ description: 'The address of the new wallet, base58.' }),
});

/** Makes a test wallet. Errors: SERVICE_BUSY. */
export function createCreateWallet(
  wallets: TestWallets,
): Operation<z.infer<typeof input>, z.infer<typeof output>> {
  return {
    namespace: 'localnet',
    name: 'createWallet',
    title: 'Make a test wallet',
    description:
      'Makes a wallet to try payments with on localnet. Its key stays inside this server, is thrown away when the server ends, and must never be used for anything of value. Fund it with localnet.fund.',
    effect: 'local',
    input,
    output,
    run: async () => {
      const wallet = wallets.create();
      return {
        output: { wallet },
        sentences: [
          'Made a test wallet.',
          `${wallet} holds nothing yet: localnet.fund gives it SOL and tokens.`,
        ],
      };
    },
  };
}
