using System.Text;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

public sealed class TransportPerfReflectionTests
{
    [Fact]
    public void Next_Raw_IsTheMessage()
    {
        Reflection reflection = new();
        Assert.Equal((true, 0), (reflection.IsEmpty, reflection.Count));
        reflection.Keep([1, 2, 3], isJson: false);
        Assert.Equal(1, reflection.Count);
        Assert.Equal([1, 2, 3], reflection.Next.ToArray());
        reflection.Drop(3);
        Assert.True(reflection.IsEmpty);
    }

    [Fact]
    public void Next_JsonArray_IsOneObjectAfterTheOther()
    {
        byte[] first = Json(1, 64);
        byte[] second = Json(2, 70);
        Reflection reflection = new();
        reflection.Keep([.. "["u8, .. first, .. ","u8, .. second, .. "]"u8], isJson: true);
        Assert.Equal(2, reflection.Count);
        Assert.Equal(Encoding.ASCII.GetString(first), Encoding.ASCII.GetString(reflection.Next));
        reflection.Drop(64);
        Assert.Equal(1, reflection.Count);
        Assert.Equal(Encoding.ASCII.GetString(second), Encoding.ASCII.GetString(reflection.Next));
        reflection.Drop(70);
        Assert.Equal((true, 0), (reflection.IsEmpty, reflection.Count));
    }

    private static byte[] Json(long sequence, int bytes)
    {
        byte[] room = new byte[bytes];
        JsonMessage.Write(room, sequence, 0);
        return room;
    }
}
