using Xunit;

namespace Tools.Tests;

/// <summary>
/// Tests that run TransportPerf or perftools: one after the other, so that they do not starve each other. Nearly all of their time is
/// waiting.
/// </summary>
[CollectionDefinition("processes")]
public sealed class ProcessTests;
