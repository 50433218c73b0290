import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areClientsInstalled, INSTALL_COMMAND } from '../../clients/installed.ts';
import { loadProtocols, type Protocol } from '../../clients/paid/protocol.ts';
import { BALANCES, createFacilitatorKey, payByMachine } from '../../clients/paid/scenario.ts';
import { type RunningApp, runApp } from '../client/running-app.ts';

const isSkipped = !areClientsInstalled();
const REASON = isSkipped ? ` (skipped: run \`${INSTALL_COMMAND}\` first)` : '';

describe.skipIf(isSkipped)(`payments by the stock packages of x402 and MPP${REASON}`, () => {
  let app: RunningApp;
  let protocols: readonly Protocol[];

  beforeAll(async () => {
    const { secretKey, address } = createFacilitatorKey();
    protocols = await loadProtocols();
    app = await runApp(undefined, { FACILITATOR_SECRET_KEY: secretKey });
    await app.ask('requestAirdrop', address, 1_000_000_000);
  });
  afterAll(() => app.close());

  it.each(BALANCES)(
    'move exact amounts, also ten at once, and each payment only once: %s',
    async (balances) => {
      for (const protocol of protocols) {
        expect(await payByMachine(app, protocol, balances)).toContain('ten at once: all paid');
      }
    },
  );
});
