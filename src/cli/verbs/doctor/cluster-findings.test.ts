import { describe, expect, it, onTestFinished } from 'vitest';
import { serveLedger } from '../../../chain/testing/ledger-upstream.ts';
import {
  bareGenesis,
  type Genesis,
  localGenesis,
  networkProgramsGenesis,
} from '../../../ledger/genesis/genesis.ts';
import {
  LAYOUT_B_FOLDER,
  layoutBDumps,
  NO_LAYOUT_B,
} from '../../../ledger/network-programs/testing/layout-b-dumps.ts';
import { Provisioner } from '../../../ledger/provision/provisioner.ts';
import { EMPTY_PROVISION, USUAL_SHAPE } from '../../../ledger/provision/testing/empty-provision.ts';
import { openTestLedger } from '../../../ledger/testing/test-ledger.ts';
import { PERMISSION_PROGRAM } from '../../../programs/addresses.ts';
import { openFakeNode } from '../testing/fake-node.ts';
import { findingsOfCluster } from './cluster-findings.ts';

const name = 'the base ledger of localnet';

/** The findings about a ledger, by check. */
async function findingsOf(genesis: Genesis, rentPerByte: bigint | null = null) {
  const provision = { ...EMPTY_PROVISION, shape: { ...USUAL_SHAPE, rentPerByte } };
  const { ledger } = await openTestLedger({ genesis: new Provisioner(provision, genesis).genesis() });
  const server = await serveLedger(ledger);
  onTestFinished(async () => {
    await server.close();
    await ledger.close();
  });
  return await findingsAt(server.url);
}

const findingsAt = async (url: URL) =>
  new Map((await findingsOfCluster({ name, url })).map((finding) => [finding.what, finding]));

describe('the findings about a cluster', () => {
  it('include its rent and the layout of its programs', async () => {
    const findings = await findingsOf(localGenesis(), 5_080n);
    expect(findings.get('rent')).toMatchObject({ level: 'ok', found: '5080 lamports per byte' });
    expect(findings.get('deployed programs')).toMatchObject({ level: 'ok', found: 'layout a' });
  });

  it('include a fault if the programs are missing', async () => {
    const findings = await findingsOf(bareGenesis());
    expect(findings.get('deployed programs')).toMatchObject({ level: 'fault' });
  });

  it.skipIf(LAYOUT_B_FOLDER === null)(
    `include a program of another version (needs ${NO_LAYOUT_B})`,
    async () => {
      const dumps = layoutBDumps();
      const same = await findingsOf(networkProgramsGenesis(dumps));
      expect(same.get('deployed programs')).toMatchObject({ level: 'ok' });
      const code = Uint8Array.from([...(dumps.get(PERMISSION_PROGRAM) ?? []), 1]);
      const other = await findingsOf(networkProgramsGenesis(new Map([...dumps, [PERMISSION_PROGRAM, code]])));
      expect(other.get('deployed programs')).toMatchObject({
        level: 'hint',
        found: 'the permission program is not a tested version',
      });
    },
  );

  it.each([
    [300, 200, 'ok', '200 ms each, so a blockhash lasts about 30 s'],
    [60, 1_000, 'hint', '1000 ms each, so a blockhash lasts about 150 s'],
  ])('include the length of its slots: %d in a minute', async (numSlots, _, level, found) => {
    const node = await openFakeNode({
      getRecentPerformanceSamples: () => [{ numSlots, samplePeriodSecs: 60, numTransactions: 1, slot: 9 }],
    });
    onTestFinished(() => node.close());
    const findings = await findingsAt(new URL(node.url));
    expect(findings.get('slots')).toMatchObject({ level, found });
    expect(findings.get('rent')).toMatchObject({ level: 'fault' });
  });

  it('tolerate invalid samples (bug: a TypeError)', async () => {
    const node = await openFakeNode({ getRecentPerformanceSamples: () => [null] });
    onTestFinished(() => node.close());
    const findings = await findingsAt(new URL(node.url));
    expect(findings.get('slots')).toMatchObject({ found: 'slot time not known yet' });
  });
});
