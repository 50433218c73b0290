import { installPeers } from '../../bench/install-peers.ts';
import { temporaryFolder } from '../folders.ts';
import { startStack } from '../stack-process.ts';
import { liveBySdk } from './life.ts';
import { rollupUrlOf } from './rollup-url.ts';
import { loadSdk, MISSING } from './sdk.ts';

/**
 * Runs a life of private payments with MagicBlock's SDK against the built program, and prints each step.
 * Exits with 0 only if every balance is exact. Needs the build, and the npm registry at the first run.
 */
installPeers();
const libraries = loadSdk();
if (libraries === null) throw new Error(MISSING);
const cleanUps: (() => Promise<unknown>)[] = [];
try {
  const stack = await startStack(await temporaryFolder((remove) => cleanUps.push(remove)));
  cleanUps.push(() => stack.stop());
  for (const isPrivate of [false, true]) {
    console.log(`\nMagicBlock's SDK 0.8.8, ${isPrivate ? 'private' : 'public'} deposits`);
    await liveBySdk(libraries, {
      ledgerUrl: stack.ledgerUrl,
      rollupUrl: rollupUrlOf(stack),
      rollupIs: 'embedded',
      isPrivate,
      tell: (line) => console.log(`   ${line}`),
    });
    console.log('   every balance is exact');
  }
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}
// web3.js keeps its WebSockets open.
process.exit();
