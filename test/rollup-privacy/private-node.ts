import { openPrivateRollup, type PrivateRollup } from '../../src/rollup/privacy/testing/private-rollup.ts';
import { serveReaders, type ReaderServer } from './reader-server.ts';

/** Those who ask: a stranger without a token, a stranger with one of his own, and the owner. */
export const EVERYBODY = ['nobody', 'sam', 'alice'] as const;
export type Who = (typeof EVERYBODY)[number];

/** A private rollup behind its real servers. */
export interface PrivateNode extends PrivateRollup, Omit<ReaderServer<'sam' | 'alice'>, 'close'> {
  /** Lets so many slots pass. */
  passSlots(count: number): void;
}

export async function startPrivateNode(): Promise<PrivateNode> {
  const scene = await openPrivateRollup();
  const { rollup, clock, sam, alice } = scene;
  const server = await serveReaders(scene, { sam: sam.wallet, alice: alice.wallet });
  return {
    ...scene,
    ...server,
    passSlots(count) {
      clock.pass(count * rollup.slotMs);
      server.timer.pass(rollup.slotMs);
    },
    async close() {
      await server.close();
      await scene.close();
    },
  };
}
