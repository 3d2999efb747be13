import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Where `npm run dev` finds a gateway.
const gateway = process.env.PROWESS_GATEWAY ?? "http://127.0.0.1:18789";

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2023",
    sourcemap: false,
    // The content policy of the gateway allows no data: scripts and no inline ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      "/ws": { target: gateway, ws: true, changeOrigin: true },
      "/api": { target: gateway, changeOrigin: true },
    },
  },
});
