"""What-if: the same evaluation over many inputs."""
