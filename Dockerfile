# One image for every process of Beadplate; which one it is, the command says: docker run beadplate:0.1.0 dashboards serve
# The embedded Kafka is for machines without Docker: there is no Java in here.

# Python as in the lock. Only wheels are installed, so no compiler is needed on the way.
FROM python:3.11-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1
WORKDIR /src
RUN python -m venv /opt/beadplate
ENV PATH=/opt/beadplate/bin:$PATH

# Packages first: they change less often than the code.
COPY requirements/run.txt requirements/
RUN pip install --require-hashes --only-binary :all: --requirement requirements/run.txt

COPY LICENSE README.md pyproject.toml ./
COPY baccarat baccarat
COPY contract contract
COPY broker broker
COPY producer producer
COPY processors processors
COPY dashboards dashboards
COPY audit audit
COPY beadplate beadplate
# What builds the wheel stays behind: pip removes the tools, and itself last.
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /tmp/dist . \
 && pip install --no-deps /tmp/dist/*.whl \
 && pip check \
 && pip uninstall --yes hatchling editables pathspec pluggy tomlkit trove-classifiers setuptools pip


FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="Beadplate" \
      org.opencontainers.image.description="Streaming baccarat results: settlements, bet statistics, roadmaps on Kafka, and a live page" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV PATH=/opt/beadplate/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
COPY --from=build /opt/beadplate /opt/beadplate

# A beadplate.toml that is mounted here is read.
WORKDIR /etc/beadplate
USER 10001:10001
ENTRYPOINT ["beadplate"]
CMD ["--help"]
