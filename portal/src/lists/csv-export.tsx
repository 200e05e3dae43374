/** The rows that the filters of a list show, as a file of comma-separated values. */
import { useMutation } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { downloadText } from '../components/download.ts';
import { RefusalNotice } from '../components/notice.tsx';
import { refreshOnForbidden } from '../session/refresh-on-forbidden.ts';
import { useSession } from '../session/session-context.tsx';

interface CsvFile {
  readonly csv: string;
  readonly rows: number;
  /** Whether more rows match than the file has. */
  readonly isCut: boolean;
}

interface CsvExportProps {
  /** The name of the file, before its date. */
  readonly name: string;
  readonly label: string;
  /** The words for what is in the file. */
  readonly exported: (file: CsvFile) => string;
  readonly fetchFile: () => Promise<CsvFile>;
}

export const CsvExport = ({ name, label, exported, fetchFile }: CsvExportProps) => {
  const session = useSession();
  const download = useMutation({
    mutationFn: async () => {
      const file = await fetchFile();
      downloadText(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', file.csv);
      return file;
    },
    onError: (error) => refreshOnForbidden(session, error),
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:px-6">
      <Button variant="secondary" busy={download.isPending} onClick={() => download.mutate()}>
        {label}
      </Button>
      <p role="status" className="text-sm text-soft">
        {download.data !== undefined && exported(download.data)}
      </p>
      {download.isError && <RefusalNotice error={download.error} />}
    </div>
  );
};
