import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { askForTable, readKeypair, sendTable } from '../scripts/lookup-table/make-table.ts';
import { Clusters } from '../src/chain/clusters.ts';
import type { Keypair } from '../src/ledger/keypair.ts';
import { LedgerChain } from '../src/ledger/ledger-chain.ts';
import { openTestLedger, type TestLedger } from '../src/ledger/testing/test-ledger.ts';
import { systemClock } from '../src/ports/clock.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { systemRandom } from '../src/ports/random.ts';
import { LOCALNET_VALIDATOR, USDC_MINT } from '../src/programs/addresses.ts';
import { decodeLookupTable } from '../src/programs/lookup-table.ts';
import { REST_TABLE } from '../src/service/rest/rest-table.ts';
import type { Address } from '../src/solana/address.ts';
import { createOperations } from '../src/stack/operations.ts';
import { runOperation } from './run-operation.ts';

let base: TestLedger;
let keypair: Keypair;
let posted: string[];
let post: (path: string, body: object) => Promise<unknown>;

/** The seed of a new key, and a file of the Solana CLI with it. */
function keyFile(): string {
  const der = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  const jwk = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(jwk.d ?? '', 'base64url'), Buffer.from(jwk.x ?? '', 'base64url')]);
  return JSON.stringify([...bytes]);
}

beforeEach(async () => {
  base = await openTestLedger();
  keypair = readKeypair(keyFile());
  await base.ledger.airdrop(keypair.address, 10_000_000_000n);
  const chain = new LedgerChain('localnet', base.ledger, LOCALNET_VALIDATOR, null, { layout: 'b' });
  const clusters = new Clusters([chain]);
  const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const operations = createOperations({ gaslessSponsorSecretKey: null }, clusters, ports);
  posted = [];
  post = async (path, body) => {
    posted.push(path);
    const operation = operations.find(({ name }) => REST_TABLE[name]?.path === path);
    if (operation === undefined) throw new Error(`nothing is served at ${path}`);
    return (await runOperation(operation, body)).output;
  };
});

describe('scripts/lookup-table', () => {
  it('builds a table with the service, signs it and sends it in order', async () => {
    const table = await askForTable(post, keypair, {
      mints: [USDC_MINT],
      validators: [LOCALNET_VALIDATOR, keypair.address],
      freeze: true,
    });
    expect(table.transactions.length).toBeGreaterThan(1);
    await sendTable(post, keypair, table, undefined);
    expect(posted.filter((path) => path === '/v1/transaction/send')).toHaveLength(table.transactions.length);
    const account = base.ledger.getAccount(table.lookupTable as Address);
    expect(decodeLookupTable(account?.data ?? new Uint8Array())).toMatchObject({
      addresses: table.addresses,
      authority: null,
    });
  });

  it('does not sign a transaction that needs other signers', async () => {
    const authority = readKeypair(keyFile()).address;
    const table = await askForTable(post, keypair, { authority });
    await expect(sendTable(post, keypair, table, undefined)).rejects.toThrow('other signers');
    expect(base.ledger.getAccount(table.lookupTable as Address)).toBeNull();
  });

  it('rejects a key file whose halves do not match, and a file that is not a key', () => {
    const bytes = JSON.parse(keyFile()) as number[];
    expect(() => readKeypair(JSON.stringify([...bytes.slice(0, 32), ...bytes.slice(0, 32)]))).toThrow(
      'halves',
    );
    expect(() => readKeypair('[1, 2]')).toThrow('64 bytes');
  });

  it('stops if a transaction is not confirmed', async () => {
    const table = await askForTable(post, keypair, { freeze: true });
    const send = async (path: string, body: object) => ({
      ...((await post(path, body)) as object),
      confirmed: false,
    });
    await expect(sendTable(send, keypair, table, undefined)).rejects.toThrow('has not been seen to land');
    expect(posted.filter((path) => path === '/v1/transaction/send')).toHaveLength(1);
  });
});
