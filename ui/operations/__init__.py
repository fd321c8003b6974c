"""Operations: logs, metrics, traces and readiness of a server."""
