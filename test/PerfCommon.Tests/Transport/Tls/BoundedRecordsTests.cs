using System.Net.Security;
using PerfCommon.Transport;
using PerfCommon.Transport.Tls;
using Xunit;

namespace PerfCommon.Tests.Transport.Tls;

/// <summary>
/// TLS records of one byte, 22 times as many on the wire: each call processes a share and returns. (The system's TLS itself refuses empty
/// ones.)
/// </summary>
public sealed class BoundedRecordsTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    private const int Records = 40_000;
    private const int MaxBytesPerCall = 160 * 1024; // 64 KB and the content of the arrays

    private static readonly byte[] Data = [7];

    [Fact]
    public async Task Receive_RecordsOfOneByte_ReturnsAndGoesOnNextTurn()
    {
        (MemoryPipe clientEnd, MemoryPipe serverEnd) = MemoryPipe.CreatePair();
        using TlsPipe server = TlsPipe.ForServer(serverEnd, files.Good, new BufferPool());
        await using TlsRecordStream records = new(clientEnd, new ByteQueue());
        await using SslStream client = new(records);
        await OpenAsync(client, records, clientEnd, server);
        for (int i = 0; i < Records; i++)
            await client.WriteAsync(Data, TestContext.Current.CancellationToken);
        records.SendUnsent();

        int total = serverEnd.Incoming;
        Assert.InRange(total, 5 * MaxBytesPerCall, int.MaxValue);
        byte[] room = new byte[64 * 1024];
        int received = 0;
        for (int left = total; received < Records; left = serverEnd.Incoming)
        {
            Assert.True(server.Receive(room, out int count) <= PipeStatus.Wait, server.Failure);
            Assert.InRange(left - serverEnd.Incoming, 0, MaxBytesPerCall);
            Assert.InRange(count, 1, Records / 4);
            Assert.True(room.AsSpan(0, count).IndexOfAnyExcept(Data[0]) < 0);
            received += count;
        }

        Assert.Equal(Records, received);
    }

    private static async Task OpenAsync(SslStream client, TlsRecordStream records, MemoryPipe clientEnd, TlsPipe server)
    {
#pragma warning disable CA5359 // the certificate is not tested here
        SslClientAuthenticationOptions options = new()
        {
            TargetHost = "localhost",
            RemoteCertificateValidationCallback = (_, _, _, _) => true
        };
#pragma warning restore CA5359
        Task shaking = client.AuthenticateAsClientAsync(options, TestContext.Current.CancellationToken);
        PipePump.TurnUntil(clientEnd, () =>
        {
            PipeStatus status = server.Open();
            records.Receive(out _);
            records.SendUnsent();
            return status == PipeStatus.Ready;
        });
        await shaking;
    }
}
