import { describe, expect, it } from 'vitest';
import { runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { ScriptedTransport } from '../../chain/testing/scripted-transport.ts';
import { upstreamPorts } from '../../chain/testing/upstream-ports.ts';
import { RpcChain } from '../../chain/upstream/rpc-ledger-client.ts';
import { systemRandom } from '../../ports/random.ts';
import { LOCALNET_VALIDATOR, USDC_MINT } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { createDeposit } from '../deposit.ts';
import { createTransfer } from '../transfer.ts';

const OWNER = addressOf(new Uint8Array(32).fill(3));
const RECIPIENT = addressOf(new Uint8Array(32).fill(5));
const given = { amount: 1_000_000, validator: LOCALNET_VALIDATOR, mint: USDC_MINT };

/** A network that answers nothing. */
function silentNetwork() {
  const transport = new ScriptedTransport(() => new Promise<never>(() => {}));
  const facts = {
    cluster: 'mainnet',
    network: 'mainnet',
    layout: 'b',
    defaultMint: USDC_MINT,
    transferLookupTable: null,
    defaultValidator: null,
    validatorVariable: 'EPHEMERAL_VALIDATOR',
  } as const;
  const ports = upstreamPorts(transport);
  const chain = new RpcChain(facts, [new URL('https://base.example')], null, ports);
  return { transport, clusters: new Clusters([chain]) };
}

describe('building on a network', () => {
  it.each([
    [
      'a deposit',
      (clusters: Clusters) =>
        runOperation(createDeposit({ clusters, random: systemRandom }), { owner: OWNER, ...given }),
    ],
    [
      'a private transfer',
      (clusters: Clusters) =>
        runOperation(createTransfer({ clusters, random: systemRandom }), {
          from: OWNER,
          to: RECIPIENT,
          ...given,
        }),
    ],
  ])('fetches the blockhash of %s while the accounts are read, not after them', async (_, build) => {
    const { transport, clusters } = silentNetwork();
    void build(clusters);
    await new Promise((resolve) => setImmediate(resolve));
    expect(transport.calls.map(({ method }) => method).toSorted()).toEqual([
      'getLatestBlockhash',
      'getMultipleAccounts',
    ]);
  });
});
