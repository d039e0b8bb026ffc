import { describeLedger } from './ledger-contract.ts';
import { memoryLedger } from './memory-ledger.ts';

describeLedger('in memory', async () => memoryLedger());
