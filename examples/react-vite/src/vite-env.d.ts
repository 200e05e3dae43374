interface ImportMetaEnv {
  readonly VITE_GATEHOUSE_URL?: string;
  readonly VITE_GATEHOUSE_FRONTEND_URL?: string;
  readonly VITE_NOTES_URL?: string;
}
