import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // One of `origins` of the application: on another port Gatehouse would not lead back here.
  server: { port: 5173, strictPort: true },
});
