"""The seam map: who carries, declares, leaks and hides each call class. Decides no finding."""
