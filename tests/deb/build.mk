NEEDS.deb := deb
