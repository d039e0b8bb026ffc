import { runService } from './run-service.ts';

process.exit(await runService(process.argv[2] ?? '', process.env));
