/** A separate process that records tool calls: `node tool-call-appender.ts DATABASE_URL DATA_DIR COUNT`. */
import { openDatabase } from '../../../src/platform/database/open.ts';
import { silentLogger } from '../gatehouse/silent-logger.ts';
import { appendMany } from './tool-calls.ts';

const [url, dataDirectory = '', count] = process.argv.slice(2);
const database = await openDatabase({ url, dataDirectory, logger: silentLogger });
await appendMany(database, Number(count), `from_${process.pid}`);
await database.close();
