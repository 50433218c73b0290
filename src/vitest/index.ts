export { localnetTest, test, type LocalnetFixtures } from './localnet-test.ts';
